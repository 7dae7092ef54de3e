"""Stands for Hydra where it is not installed: the settings of a folder are put together and given to the function."""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from omegaconf import OmegaConf  # its stand-in where that is not installed either

from shapewright.run.stand_ins.context import tell

GLOBAL, WHOLE = re.compile(r"^# *@package +_global_", re.MULTILINE), "_package_"
OLDER = ("class", "cls", "target")


def main(version_base: Any = None, config_path: Any = None, config_name: Any = None, **_: Any) -> Callable[..., Any]:
    """Decorates the function that takes the settings."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(cfg: Any = None) -> Any:
            if cfg is None:
                home = os.path.dirname(os.path.abspath(function.__code__.co_filename))
                folder, name = config_path or ".", config_name or "config"
                if not config_name and folder.endswith((".yaml", ".yml")):  # before version 1.0
                    folder, name = os.path.split(folder)
                    tell("old-interface", old=f"config_path={config_path!r}", new=f"config_name={name!r}")
                cfg = _composed(os.path.join(home, folder), name)
                cfg = OmegaConf.create(OmegaConf.to_container(OmegaConf.merge(cfg, OmegaConf.from_cli())))
            return function(cfg)

        return call

    return decorate


def _composed(folder: str, name: str) -> Any:
    """A file's settings over those of the groups that it lists under `defaults`, which go by the name of the group,
    unless they say so themselves or that they go by none."""
    with open(
        os.path.join(folder, name if name.endswith((".yaml", ".yml")) else f"{name}.yaml"), encoding="utf-8"
    ) as file:
        text = file.read()
    own, parts = OmegaConf.to_container(OmegaConf.create(text)), []
    for entry in own.pop("defaults", []):
        if isinstance(entry, str) and entry != "_self_":
            parts.append(_composed(folder, entry))
        elif isinstance(entry, dict):
            for group, chosen in entry.items():
                place = group.replace("override ", "").replace("optional ", "")
                if not place.startswith("hydra") and chosen is not None:
                    inner = _composed(os.path.join(folder, place), str(chosen))
                    whole = inner.pop(WHOLE, False) or place in inner
                    parts.append(inner if whole else {place: inner})
    if GLOBAL.search(text):
        own[WHOLE] = True
    return OmegaConf.merge(*parts, own)


def _instantiate(config: Any, *args: Any, **options: Any) -> Any:
    older = next((key for key in OLDER if "_target_" not in config and key in config), "")  # before version 1.1
    if older:
        tell("old-interface", old=f"{older}: …, params: …", new="_target_: …")
    asked = config.get("params") or {} if older else config
    given = {key: _part(value) for key, value in asked.items() if not key.startswith("_")}
    module, _, name = config[older or "_target_"].rpartition(".")
    made = getattr(importlib.import_module(module), name)
    given.update(options)
    return functools.partial(made, *args, **given) if config.get("_partial_") else made(*args, **given)


def _part(value: Any) -> Any:
    return _instantiate(value) if isinstance(value, dict) and "_target_" in value else value


utils = SimpleNamespace(
    instantiate=_instantiate, call=_instantiate, get_original_cwd=os.getcwd, to_absolute_path=os.path.abspath
)
sys.modules[f"{__name__}.utils"] = utils  # type: ignore[assignment]
