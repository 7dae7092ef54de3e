"""How many classes a made-up folder of pictures has: two, which any classifier can tell apart, or as many as the script
takes its best of."""

from __future__ import annotations

import re

LEAST, MOST = 2, 20
_BEST = (
    re.compile(r"\btop_?k\s*=\s*[\[(]?((?:\s*\d+\s*,?)+)"),
    re.compile(r"\btopk\(\s*(?:[\w.\[\]]+\s*,\s*)?(\d+)"),
    re.compile(r"(?:\b|_)(?:top|prec|acc)_?@?(\d+)(?:\b|_)", re.IGNORECASE),
)


def count(text: str) -> int:
    """The number of classes for a script of this text.

    >>> count("def accuracy(output, target, topk=(1, 5)):"), count("p, c = torch.topk(out, 3)")
    (5, 3)
    >>> count("acc1, acc5 = 0, 0"), count("model.fc")
    (5, 2)
    """
    asked = [
        int(number) for pattern in _BEST for match in pattern.finditer(text) for number in re.findall(r"\d+", match[1])
    ]
    return max([LEAST, *(number for number in asked if number <= MOST)])
