"""Where a gradient is cut, a network that follows the trained one and that nothing calls may be the one that was
meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.followers import idle_followers
from .change import Change

TEXTS = {
    "idle": {
        "en": (
            "{follower} receives the weights of {leader}, but nothing calls {follower}; perhaps {follower} should be "
            "called here"
        ),
        "es": (
            "{follower} recibe los pesos de {leader}, pero nada llama a {follower}; quizá haya que llamar aquí a "
            "{follower}"
        ),
        "ja": "{leader} の重みを受け取る {follower} はどこからも呼ばれません。ここで呼ぶべきなのは {follower} かもし"
        "れません",
    },
}
CUTS = frozenset({"detach", "no_grad", "inference_mode"})


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the repaired texts."""
    if CUTS & set(change.added):
        for text in {**change.before.sources, **change.texts}.values():
            try:
                found = idle_followers(ast.parse(text))
            except SyntaxError:
                continue
            for follower, leader in found.items():
                yield "idle", {"follower": follower, "leader": leader}
