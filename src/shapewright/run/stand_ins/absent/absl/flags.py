"""Flags by name: each has a default, which the command line replaces; one that must be given is made up else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapewright.run.stand_ins.context import tell
from shapewright.run.stand_ins.filling import value

TRUE, FALSE = ("1", "t", "true", "y", "yes"), ("0", "f", "false", "n", "no")


class FlagHolder:
    """What `DEFINE_…` gives: the flag's value."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def value(self) -> Any:
        """The value that the flag has now."""
        return getattr(FLAGS, self.name)


class FlagValues:
    """All flags, by name."""

    def __init__(self) -> None:
        self.__dict__.update(_kinds={}, _values={}, _required=[], _hints={})

    def __call__(self, argv: list[str], known_only: bool = False) -> list[str]:
        left, words = list(argv[:1]), list(argv[1:])
        given: set[str] = set()
        while words:
            word = words.pop(0)
            if word == "--":
                return left + words
            name, separated, text = word.lstrip("-").partition("=")
            if not word.startswith("-") or (name not in self._kinds and name.removeprefix("no") not in self._kinds):
                left.append(word)
                continue
            if name not in self._kinds:
                name, text, separated = name.removeprefix("no"), "false", "="
            if not separated:
                text = "true" if self._kinds[name] is _flag else words.pop(0) if words else ""
            self._values[name] = self._kinds[name](text)
            given.add(name)
        for name in self._required:
            if name not in given and self._values[name] is None:
                kind, choices, help = self._hints[name]
                text = value(name, kind, choices, help)
                tell("argument-filled", name=f"--{name}", value=text)
                self._values[name] = self._kinds[name](text)
        return left

    def __getattr__(self, name: str) -> Any:
        if name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def __setattr__(self, name: str, given: Any) -> None:
        self._values[name] = given

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __getitem__(self, name: str) -> FlagHolder:
        return FlagHolder(name)

    def __iter__(self) -> Any:
        return iter(self._values)

    def is_parsed(self) -> bool:
        """That they were read."""
        return True

    def mark_as_parsed(self) -> None:
        """Nothing has to be read."""

    def flag_values_dict(self) -> dict[str, Any]:
        """The values by name."""
        return dict(self._values)

    def flags_into_string(self) -> str:
        """The values, a line each."""
        return "\n".join(f"--{name}={given}" for name, given in self._values.items())


FLAGS = FlagValues()


def _flag(text: str) -> bool:
    return text.lower() in TRUE


def _define(read: Callable[[str], Any], kind: str) -> Callable[..., FlagHolder]:
    def define(name: str, default: Any = None, help: str = "", *given: Any, **options: Any) -> FlagHolder:
        FLAGS._kinds[name] = read
        FLAGS._values[name] = read(default) if isinstance(default, str) else default
        FLAGS._hints[name] = (kind, options.get("enum_values"), str(help or ""))
        if options.get("required"):
            FLAGS._required.append(name)
        return FlagHolder(name)

    return define


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")] if text else []


DEFINE_string = _define(str, "str")
DEFINE_integer = _define(int, "int")
DEFINE_float = _define(float, "float")
DEFINE_bool = DEFINE_boolean = _define(_flag, "bool")
DEFINE_list = _define(_listed, "str")
DEFINE_multi_string = _define(lambda text: [text], "str")
DEFINE_multi_integer = _define(lambda text: [int(text)], "int")
DEFINE_multi_float = _define(lambda text: [float(text)], "float")


def DEFINE_enum(name: str, default: Any, enum_values: list[str], help: str = "", **options: Any) -> FlagHolder:
    """A flag that is one of some words."""
    return DEFINE_string(name, default, help, enum_values=enum_values, **options)


def DEFINE_alias(name: str, original_name: str, **_: object) -> FlagHolder:
    """Another name of a flag."""
    FLAGS._values.setdefault(name, FLAGS._values[original_name])
    return FlagHolder(original_name)


def mark_flag_as_required(name: str, **_: object) -> None:
    """A flag that must be given."""
    FLAGS._required.append(name)


def mark_flags_as_required(names: list[str], **_: object) -> None:
    """Flags that must be given."""
    FLAGS._required.extend(names)


def register_validator(*_: object, **__: object) -> None:
    """What is given is taken."""
