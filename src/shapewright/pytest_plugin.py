"""The pytest plugin: `pytest --shapewright train.py`, and a fixture `shapewright` for tests of scripts and models.

It is loaded with every pytest that runs beside an installed shapewright, so it imports nothing before a test asks."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest

STASH: pytest.StashKey[Any] = pytest.StashKey()


class Faulty(AssertionError):
    """A script or a model that is not sound; the text is the page."""

    def __init__(self, diagnosis: Any) -> None:
        from .report.terminal import render

        super().__init__("\n" + render([diagnosis]))
        self.diagnosis = diagnosis


class Checker:
    """What the fixture gives: checks with one warm resident process for the whole session."""

    def __init__(self) -> None:
        self._resident: Any = None

    def check(self, script: str | os.PathLike[str], *args: str, repair: bool = False, **options: Any) -> Any:
        """The diagnosis of a script; options as of `shapewright.check`."""
        from .checking import check
        from .run.process.supervisor import Resident

        if self._resident is None or not self._resident.alive:
            self.close()
            self._resident = Resident()
        return check(script, args, resident=self._resident, repair=repair, **options)

    def assert_clean(self, script: str | os.PathLike[str], *args: str, **options: Any) -> Any:
        """Fails with the page unless the script was wholly checked and nothing was found."""
        __tracebackhide__ = True
        diagnosis = self.check(script, *args, **options)
        if diagnosis.exit_code:
            raise Faulty(diagnosis)
        return diagnosis

    def assert_sound(self, model: Any, batch: Any, loss: Callable[..., Any], **options: Any) -> Any:
        """Fails with the page where one training step of a model has a fault; options as of `check_model`."""
        __tracebackhide__ = True
        from .model_checking import check_model

        diagnosis = check_model(model, batch, loss=loss, **options)
        if diagnosis.exit_code:
            raise Faulty(diagnosis)
        return diagnosis

    def close(self) -> None:
        """End the resident process."""
        if self._resident is not None:
            self._resident.close()
            self._resident = None


class Script(pytest.Item):
    """One script given to `--shapewright`."""

    def __init__(self, words: list[str], **given: Any) -> None:
        super().__init__(**given)
        self.words = words

    def runtest(self) -> None:
        """Check the script."""
        self.config.stash[STASH].assert_clean(*self.words, repair=True)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The page, without a traceback."""
        if isinstance(excinfo.value, Faulty):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, int, str]:
        """Where the item is from."""
        return self.words[0], 0, f"shapewright {' '.join(self.words)}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--shapewright`."""
    parser.getgroup("shapewright").addoption(
        "--shapewright",
        action="append",
        default=[],
        metavar="SCRIPT",
        help="also check this training script ('train.py --epochs 1' with its arguments)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """One checker for the session; its process starts at the first check."""
    config.stash[STASH] = Checker()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the process."""
    if STASH in config.stash:
        config.stash[STASH].close()


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds an item for each script."""
    for given in config.getoption("--shapewright"):
        words = shlex.split(given)
        items.append(Script.from_parent(session, name=f"shapewright::{words[0]}", words=words))


@pytest.fixture
def shapewright(request: pytest.FixtureRequest) -> Iterator[Checker]:
    """Checks scripts and models: `shapewright.assert_clean("train.py", "--epochs", "1")`, `shapewright.check(...)`,
    `shapewright.assert_sound(model, batch, loss)`."""
    yield request.config.stash[STASH]
