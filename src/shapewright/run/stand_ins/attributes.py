"""Dictionaries whose keys are attributes, as a dozen small libraries have them for settings: one class under the names
that each library has for it. It holds what the script puts into it, and nothing is made up."""

from __future__ import annotations

import copy
from typing import Any


class Attributes(dict):
    """A dictionary with attributes; those in it, also in lists, have attributes too.

    >>> made = Attributes({"net": {"width": 8}}, rate=0.1)
    >>> made.net.depth = 2
    >>> made["net"], made.rate, hasattr(made, "seed")
    ({'width': 8, 'depth': 2}, 0.1, False)
    """

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__()
        self.update(*[dict(one) for one in given if one is not None and hasattr(one, "keys")], **options)

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name, name=name, obj=self) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        self.pop(name, None)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, self._made(value))

    def _made(self, value: Any) -> Any:
        if type(value) is dict:
            return type(self)(value)
        return type(value)(map(self._made, value)) if type(value) in (list, tuple) else value

    def update(self, *given: Any, **options: Any) -> None:
        """Take in others."""
        for key, value in dict(*given, **options).items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """What is under a key, and `default` from now on where nothing was."""
        if key not in self:
            self[key] = default
        return self[key]

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return type(self)({key: copy.deepcopy(value, memo) for key, value in self.items()})

    def copy(self) -> Any:
        """Another of the same entries."""
        return type(self)(self)

    def to_dict(self) -> dict[Any, Any]:
        """Plain dictionaries."""
        return plain(self)

    toDict = to_dict


class Growing(Attributes):
    """One that grows by being asked: what it lacks is another, which it holds from when something is put into that.

    >>> made = Growing(); made.net.width = 8; made, bool(made.absent)
    ({'net': {'width': 8}}, False)
    """

    def __missing__(self, key: Any) -> Any:
        made = type(self)()
        dict.__setattr__(made, "_under", (self, key))
        return made

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        above, name = self.__dict__.pop("_under", (None, None))
        if above is not None:
            above[name] = self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]


class Node(Attributes):
    """One that may be frozen and takes others in, from files and from lists of names and values.

    >>> node = Node(); node.net = Node({"width": 8})
    >>> node.merge_from_list(["net.width", "16"]); node.clone()
    {'net': {'width': 16}}
    """

    def merge_from_other_cfg(self, other: Any) -> None:
        """Take in the entries of another, part by part."""
        for key, value in other.items():
            if isinstance(self.get(key), Node) and isinstance(value, dict):
                self[key].merge_from_other_cfg(value)
            else:
                self[key] = value

    def merge_from_file(self, file: str) -> None:
        """Take in the entries of a file of settings."""
        import yaml

        with open(file, encoding="utf-8") as text:
            self.merge_from_other_cfg(yaml.safe_load(text) or {})

    def merge_from_list(self, given: list[Any]) -> None:
        """Take in values by their dotted names."""
        import yaml

        for name, value in zip(given[::2], given[1::2]):
            *path, last = name.split(".")
            node = self
            for part in path:
                node = node[part]
            node[last] = yaml.safe_load(value) if isinstance(value, str) else value

    def _itself(self, *_: object, **__: object) -> Any:
        return self

    clone, freeze, defrost, set_new_allowed = Attributes.copy, _itself, _itself, _itself

    def is_frozen(self) -> bool:
        """Whether nothing may be changed: never."""
        return False

    def dump(self, **options: Any) -> str:
        """The settings as YAML."""
        import yaml

        return str(yaml.safe_dump(plain(self)))


def plain(value: Any) -> Any:
    """Dictionaries without attributes.

    >>> type(plain(Attributes(a={"b": 1}))["a"]) is dict
    True
    """
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value


def _made(value: Any) -> Any:
    return Attributes()._made(value)


NAMES: dict[str, dict[str, Any]] = {
    "easydict": {"EasyDict": Attributes},
    "attrdict": {"AttrDict": Attributes},
    "attributedict": {"AttributeDict": Attributes},
    "bunch": {"Bunch": Attributes, "bunchify": _made, "unbunchify": plain},
    "munch": {
        **dict.fromkeys(("Munch", "AutoMunch"), Attributes),
        **{"munchify": _made, "unmunchify": plain},
    },
    "box": {"Box": Attributes, "ConfigBox": Attributes},
    "prodict": {"Prodict": Attributes},
    "addict": {"Dict": Growing},
    "dotmap": {"DotMap": Growing},
    "yacs": {"CfgNode": Node},
    "ml_collections": {"ConfigDict": Node, "FrozenConfigDict": Node},
}
