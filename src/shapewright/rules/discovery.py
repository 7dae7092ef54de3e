"""Finds the rules in the folders beside this file. A rule is a module with `code`, `check` and `MESSAGES`, named
by its slug."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable
from types import ModuleType

from ..dataclass import dataclass
from ..trace import Trace
from .cause import place_in_order
from .facts import Facts

GROUPS = ("loud", "silent", "loop")
REQUIRED = ("code", "check", "MESSAGES")


@dataclass(frozen=True)
class Rule:
    """A rule module, wrapped. `check` takes a `Trace` and yields `Facts`; `slug` is the module's name."""

    code: str
    slug: str
    group: str
    module: ModuleType

    @property
    def check(self) -> Callable[[Trace], Iterable[Facts]]:
        return self.module.check

    @property
    def aliases(self) -> tuple[str, ...]:
        """Slugs that it had before; they stay valid wherever a slug may be written."""
        return getattr(self.module, "aliases", ())

    @property
    def names(self) -> tuple[str, ...]:
        """The slug and its aliases."""
        return (self.slug, *self.aliases)

    @property
    def faulty(self) -> tuple[tuple[str, int], ...]:
        """Scripts that have the fault, each with the line of the finding."""
        return _cases(self).FAULTY

    @property
    def sound(self) -> tuple[str, ...]:
        """Scripts on which the rule is silent."""
        return _cases(self).SOUND

    @property
    def stands_back(self) -> bool:
        """Whether it speaks only where no other silent rule has."""
        return getattr(self.module, "stands_back", False)

    @property
    def of_any_rank(self) -> bool:
        """Whether what it reads is the same however many axes the data have: it speaks of made-up data of which that is
        not known, too."""
        return getattr(self.module, "of_any_rank", False)

    @property
    def is_opinion(self) -> bool:
        """Whether it tells of taste: it speaks only where that is asked for, or where it is selected by its name."""
        return getattr(self.module, "is_opinion", False)

    @property
    def messages(self) -> dict[str, dict[str, str]]:
        """`{'en': {'message': ..., 'why': ...}, 'es': ..., 'ja': ...}`."""
        return self.module.MESSAGES


def _cases(rule: Rule) -> ModuleType:
    """The rule's scripts, which a check never imports."""
    return importlib.import_module(f"{__package__}.cases.{rule.slug.replace('-', '_')}")


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by group, order and code."""
    found = []
    for group in GROUPS:
        package = importlib.import_module(f"{__package__}.{group}")
        for info in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            if all(hasattr(module, name) for name in REQUIRED):
                found.append(Rule(module.code, info.name.replace("_", "-"), group, module))
    return tuple(
        sorted(found, key=lambda rule: (GROUPS.index(rule.group), place_in_order(rule.group, rule.slug), rule.code))
    )


def find_rule(name: str) -> Rule | None:
    """The rule of a code (`SW101`), slug or alias, in any case; `None` where there is none."""
    wanted = name.strip().lower()
    return next((rule for rule in all_rules() if wanted in (rule.code.lower(), *rule.names)), None)
