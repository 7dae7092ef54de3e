"""Signs that a policy games its reward model: longer, repetitive or interchangeable answers that score better.

Compares held-out answers before and after; it decides nothing and knows no reward model. A sign is no proof: a reward
model may ask for longer answers with reason. It is what a person would look for in the texts first.
"""

import re
from collections import Counter
from statistics import fmean

from shapewright.recipes.policy.before_after import Answers

LONGER = 1.5
"""Times the start policy's mean length that count as a sign."""
ALIKE = 0.5
"""Share of the prompts that get the same beginning or ending."""
REPEATED = 0.2
"""By how much the share of repeated words' triples must have grown."""
EDGE = 4
"""Words of a beginning or ending."""
_UNSPACED = "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
"""Japanese and Chinese write no spaces: each character counts as a word, and three make as much as one elsewhere."""
_WORD = re.compile(rf"{_UNSPACED}|(?:(?!{_UNSPACED})\S)+")


def signs(before: Answers, after: Answers) -> list[str]:
    """One sentence per sign, most telling first; none where the answers stayed as varied and as long as they were.

    >>> plain = Answers(["a calm sea at dawn", "one red fox ran home", "rain fell on the roof"], [0.0, 0.0, 0.0])
    >>> gamed = Answers([f"{start} I am glad to help" for start in ("a sea", "one fox", "rain")], [1.0, 1.0, 1.0])
    >>> signs(plain, plain), signs(plain, gamed)
    ([], ['100 % of the prompts are answered with the same ending ("am glad to help"); before 33 %'])
    """
    if not before.texts or not after.texts:
        return []
    found = []
    for place in ("beginning", "ending"):
        (words, share), (_, old) = _commonest(after.texts, place), _commonest(before.texts, place)
        if len(after.texts) > 2 and share >= ALIKE and share > 1.5 * old:
            quoted = re.sub(rf"(?<={_UNSPACED}) (?={_UNSPACED})", "", " ".join(words))
            found.append(
                f'{share:.0%} of the prompts are answered with the same {place} ("{quoted}"); before {old:.0%}'.replace(
                    "%", " %"
                )
            )
    repeated, old = (fmean(map(_repeated, answers.texts)) for answers in (after, before))
    if repeated > old + REPEATED:
        found.append(
            f"{100 * repeated:.0f} % of an answer's triples of words stood in it before; at the start {100 * old:.0f} %"
        )
    longer = fmean(map(len, after.texts)) / max(fmean(map(len, before.texts)), 1.0)
    if longer > LONGER:
        found.append(f"the answers are {longer:.1f} times as long as the start policy's")
    return found


def _commonest(texts: list[str], place: str) -> tuple[tuple[str, ...], float]:
    """The commonest beginning or ending, and the share of the texts that have it."""
    counted = Counter(_edge(_WORD.findall(text), place) for text in texts if text.strip())
    (words, count), *_ = counted.most_common(1) or [((), 0)]
    return words, count / len(texts)


def _edge(words: list[str], place: str) -> tuple[str, ...]:
    """The words of a beginning or ending."""
    unspaced = sum(re.fullmatch(_UNSPACED, word) is not None for word in words)
    size = 3 * EDGE if 2 * unspaced > len(words) else EDGE
    return tuple(words[:size] if place == "beginning" else words[-size:])


def _repeated(text: str) -> float:
    """Share of the triples of words that occurred earlier in the text; 0 for a text of fewer than three words."""
    words = _WORD.findall(text)
    triples = list(zip(words, words[1:], words[2:]))
    return 1.0 - len(set(triples)) / len(triples) if triples else 0.0
