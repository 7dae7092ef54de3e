"""The base of callbacks, whose hooks a script overrides."""

from __future__ import annotations

from typing import Any


class Callback:
    """Hooks around the loops: every one that a script does not define does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("on_", "setup", "teardown")):
            return _nothing
        raise AttributeError(name)

    def state_dict(self) -> dict[str, Any]:
        """Nothing is kept."""
        return {}


def _nothing(*_: object, **__: object) -> None:
    pass
