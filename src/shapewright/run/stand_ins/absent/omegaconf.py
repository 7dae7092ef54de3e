"""Stands for OmegaConf where it is not installed: settings whose keys are attributes, read from YAML, with `${…}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_FLOAT = re.compile(r"[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:[eE][-+]?\d+)|[-+]?(?:\d[\d_]*)?\.[\d_]+|[-+]?\d+\.")
_REFERENCE = re.compile(r"\$\{([\w.]+)\}")
MISSING = "???"


class DictConfig(dict):
    """A mapping with attributes; what is not there is `None`, as where a structure is not fixed, and what refers to
    another setting is what that is when it is asked for.

    >>> made = OmegaConf.create({"size": 4, "net": {"width": "${size}"}})
    >>> made.size = 8
    >>> made.net.width, made.absent
    (8, None)
    """

    _root: Any = None

    def __getitem__(self, key: Any) -> Any:
        return _resolved(dict.__getitem__(self, key), self._root)

    def get(self, key: Any, default: Any = None) -> Any:
        return _resolved(dict.get(self, key, default), self._root)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def __iter__(self) -> Iterator[Any]:  # so that `**settings` asks for each
        return dict.__iter__(self)

    def values(self) -> Any:
        return [self[key] for key in self]

    def items(self) -> Any:
        return [(key, self[key]) for key in self]


ListConfig = list


def _made(value: Any) -> Any:
    if isinstance(value, dict):
        return DictConfig({key: _made(part) for key, part in dict.items(value)})
    return [_made(part) for part in value] if isinstance(value, (list, tuple)) else value


def _rooted(value: Any, root: Any) -> Any:
    for part in dict.values(value) if isinstance(value, DictConfig) else value if isinstance(value, list) else ():
        _rooted(part, root)
    if isinstance(value, DictConfig):
        object.__setattr__(value, "_root", root)
    return value


def _resolved(value: Any, root: Any) -> Any:
    if isinstance(value, list):
        return [_resolved(part, root) for part in value]
    if not isinstance(value, str) or root is None:
        return value
    if match := _REFERENCE.fullmatch(value):
        return OmegaConf.select(root, match[1])
    return _REFERENCE.sub(lambda match: str(OmegaConf.select(root, match[1])), value)


def _read(text: Any) -> Any:
    """Settings of YAML, where `1e-4` is a number."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))
    return yaml.load(text, Loader)


class OmegaConf:
    """The functions that scripts call."""

    @staticmethod
    def create(obj: Any = None) -> Any:
        """Settings of a mapping, a list or a text."""
        made = _made((_read(obj) if isinstance(obj, str) else obj) or {})
        return _rooted(made, made)

    structured = create

    @staticmethod
    def load(file: Any) -> Any:
        """Settings of a file."""
        if hasattr(file, "read"):
            return OmegaConf.create(_read(file))
        with open(file, encoding="utf-8") as stream:
            return OmegaConf.create(_read(stream))

    @staticmethod
    def merge(*parts: Any) -> Any:
        """Later settings over earlier ones."""
        whole: Any = DictConfig()
        for part in parts:
            _over(whole, _made(part or {}))
        return _rooted(whole, whole)

    @staticmethod
    def from_dotlist(dotlist: list[str]) -> Any:
        """Settings of `a.b=3`."""
        whole: Any = DictConfig()
        for text in dotlist:
            path, _, value = text.partition("=")
            *keys, last = path.lstrip("+-").split(".")
            part = whole
            for key in keys:
                part = part.setdefault(key, DictConfig())
            part[last] = _made(_read(value))
        return _rooted(whole, whole)

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
    def to_container(cfg: Any, resolve: bool = False, **_: object) -> Any:
        """Plain mappings and lists."""
        if isinstance(cfg, dict):
            parts = cfg.items() if resolve else dict.items(cfg)
            return {key: OmegaConf.to_container(part, resolve) for key, part in parts}
        return [OmegaConf.to_container(part, resolve) for part in cfg] if isinstance(cfg, list) else cfg

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
    for key, value in dict.items(part):
        if isinstance(value, dict) and isinstance(dict.get(whole, key), dict):
            _over(dict.__getitem__(whole, key), value)
        else:
            whole[key] = value
