"""Stands for OmegaConf where it is not installed: settings whose keys are attributes, read from YAML, with `${…}`."""

from __future__ import annotations

import re
from typing import Any

_REFERENCE = re.compile(r"\$\{([\w.]+)\}")
MISSING = "???"


class DictConfig(dict):
    """A mapping with attributes; what is not there is `None`, as where a structure is not fixed.

    >>> made = OmegaConf.create({"size": 4, "net": {"width": "${size}"}})
    >>> made.net.width, made.absent
    (4, None)
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value


ListConfig = list


def _made(value: Any) -> Any:
    if isinstance(value, dict):
        return DictConfig({key: _made(part) for key, part in value.items()})
    return [_made(part) for part in value] if isinstance(value, (list, tuple)) else value


def _resolved(value: Any, root: object) -> Any:
    if isinstance(value, dict):
        for key, part in value.items():
            value[key] = _resolved(part, root)
    elif isinstance(value, list):
        value[:] = [_resolved(part, root) for part in value]
    elif isinstance(value, str):
        if match := _REFERENCE.fullmatch(value):
            return OmegaConf.select(root, match[1])
        return _REFERENCE.sub(lambda match: str(OmegaConf.select(root, match[1])), value)
    return value


class OmegaConf:
    """The functions that scripts call."""

    @staticmethod
    def create(obj: Any = None) -> Any:
        """Settings of a mapping, a list or a text."""
        if isinstance(obj, str):
            import yaml

            obj = yaml.safe_load(obj)
        made = _made(obj or {})
        return _resolved(made, made)

    structured = create

    @staticmethod
    def load(file: Any) -> Any:
        """Settings of a file."""
        import yaml

        if hasattr(file, "read"):
            return OmegaConf.create(yaml.safe_load(file))
        with open(file, encoding="utf-8") as stream:
            return OmegaConf.create(yaml.safe_load(stream))

    @staticmethod
    def merge(*parts: Any) -> Any:
        """Later settings over earlier ones."""
        whole: Any = DictConfig()
        for part in parts:
            _over(whole, _made(part or {}))
        return whole

    @staticmethod
    def from_dotlist(dotlist: list[str]) -> Any:
        """Settings of `a.b=3`."""
        import yaml

        whole: Any = DictConfig()
        for text in dotlist:
            path, _, value = text.partition("=")
            *keys, last = path.lstrip("+-").split(".")
            part = whole
            for key in keys:
                part = part.setdefault(key, DictConfig())
            part[last] = _made(yaml.safe_load(value))
        return whole

    @staticmethod
    def from_cli(args_list: list[str] | None = None) -> Any:
        """Settings of the command line."""
        import sys

        given = sys.argv[1:] if args_list is None else args_list
        return OmegaConf.from_dotlist([word for word in given if "=" in word])

    @staticmethod
    def select(cfg: Any, key: str, default: object = None, **_: object) -> Any:
        """What is at `a.b`."""
        for part in key.split("."):
            cfg = cfg.get(part) if isinstance(cfg, dict) else None
        return default if cfg is None else cfg

    @staticmethod
    def to_container(cfg: Any, **_: object) -> Any:
        """Plain mappings and lists."""
        if isinstance(cfg, dict):
            return {key: OmegaConf.to_container(part) for key, part in cfg.items()}
        return [OmegaConf.to_container(part) for part in cfg] if isinstance(cfg, list) else cfg

    to_object = to_container

    @staticmethod
    def to_yaml(cfg: object, **_: object) -> str:
        """The settings as text."""
        import yaml

        return yaml.safe_dump(OmegaConf.to_container(cfg))

    @staticmethod
    def save(config: Any, f: Any, **_: Any) -> None:
        """Written as YAML."""
        with open(f, "w", encoding="utf-8") as stream:
            stream.write(OmegaConf.to_yaml(config))

    @staticmethod
    def is_config(obj: object) -> bool:
        """Whether it is one of these."""
        return isinstance(obj, (DictConfig, list))

    @staticmethod
    def set_struct(conf: object, value: bool) -> None:
        """Structures are never fixed."""

    set_readonly = resolve = register_new_resolver = staticmethod(lambda *_, **__: None)


def _over(whole: Any, part: Any) -> None:
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(whole.get(key), dict):
            _over(whole[key], value)
        else:
            whole[key] = value
