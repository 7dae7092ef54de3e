"""Preference pairs out of raw rows, in the forms in which people have them; what cannot be trained on is counted, with
its line.

Forms: `prompt`/`chosen`/`rejected` as text or chat messages · `chosen`/`rejected` alone, the prompt being their common
beginning (hh-rlhf) · `prompt`/`preferred`/`less_preferred` · a list of three texts · optionally `margin`, `tools`,
`subset`. Reads no file (`sources.py`) and counts no tokens (`encoding.py`).
"""

import functools
import json
import os
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

CHOSEN, REJECTED = ("chosen", "preferred"), ("rejected", "less_preferred")
SUBSET = ("subset", "category")
OTHER_FORMS = {
    ("completion", "label"): "unpaired preferences: one answer a row, called good or bad",
    ("completions", "labels"): "stepwise labels: one answer a row, each step called right or wrong",
    ("prompt", "completion"): "prompts with one answer each",
    ("messages",): "dialogues with one answer each",
    ("text",): "texts",
    ("prompt",): "prompts without answers",
}
"""The data set forms of TRL that hold no pairs, by the fields that tell them."""
_TURNS = ("\n\nAssistant:", "\n\nassistant:")


@dataclass(frozen=True)
class Pair:
    """One comparison: `prompt + chosen` was liked better than `prompt + rejected`, by `margin` where it is known.
    `line` counts from 1; `subset` is what the data call its kind, if anything."""

    prompt: str
    chosen: str
    rejected: str
    margin: float | None = None
    line: int = 0
    subset: str = ""


@dataclass
class Complaints:
    """Rows that are not used, or not whole: reason → line numbers."""

    lines: dict[str, list[int]] = field(default_factory=dict)

    def add(self, reason: str, line: int) -> None:
        self.lines.setdefault(reason, []).append(line)

    @property
    def count(self) -> int:
        return sum(map(len, self.lines.values()))

    def text(self, shown: int = 8) -> str:
        """One line a reason, with the first line numbers.

        >>> complaints = Complaints()
        >>> complaints.add("left out: chosen and rejected are identical", 3)
        >>> complaints.text()
        'left out: chosen and rejected are identical: 1 row (line 3)'
        """
        parts = []
        for reason, lines in self.lines.items():
            where = ", ".join(map(str, lines[:shown])) + (" …" if len(lines) > shown else "")
            parts.append(
                f"{reason}: {len(lines)} row{'s' if len(lines) > 1 else ''} (line{'s' if len(lines) > 1 else ''} "
                f"{where})"
            )
        return "\n".join(parts)


class BadRow(ValueError):
    """A row that is no pair; the text says why."""


def read_pairs(rows: Iterable[tuple[int, Any]], chat: Callable[..., str], complaints: Complaints) -> list[Pair]:
    """The usable pairs of numbered rows.

    Args:
        rows: line number and row; a row may also be an exception, met while reading that line.
        chat: chat messages to text, as `Codec.chat` (the tokenizer's template).
        complaints: gets every row that is left out.
    """
    pairs = []
    for line, row in rows:
        try:
            pairs.append(read_pair(row, line, chat))
        except BadRow as error:
            complaints.add(f"left out: {error}", line)
    return pairs


def other_form(row: Any) -> str:
    """What a row without pairs holds, where its fields tell; empty where it may be a pair.

    >>> other_form({"prompt": "Q", "completion": "A", "label": True})
    'unpaired preferences: one answer a row, called good or bad'
    """
    if not isinstance(row, dict) or any(name in row for name in CHOSEN + REJECTED):
        return ""
    return next((form for fields, form in OTHER_FORMS.items() if all(name in row for name in fields)), "")


def read_pair(row: Any, line: int, chat: Callable[..., str]) -> Pair:
    """One row as a pair.

    Raises:
        BadRow: it has no such fields, they are not text, an answer is empty, or both answers are the same.
    """
    if isinstance(row, Exception):
        raise BadRow(str(row))
    if isinstance(row, (list, tuple)) and len(row) == 3:
        row = dict(zip(("prompt", "chosen", "rejected"), row))
    if not isinstance(row, dict):
        raise BadRow(f"a row must be an object with chosen and rejected, not {type(row).__name__}")
    chosen, rejected = _field(row, CHOSEN), _field(row, REJECTED)
    prompt = row.get("prompt")
    if tools := _tools(row.get("tools")):
        chat = functools.partial(chat, tools=tools)
    if _missing(prompt):
        prompt, chosen, rejected = _divide(chosen, rejected, chat)
    else:
        prompt, chosen, rejected = _beside(prompt, chosen, rejected, chat)
    if not chosen.strip() or not rejected.strip():
        raise BadRow(f"the {'rejected' if chosen.strip() else 'chosen'} answer is empty")
    if chosen == rejected:
        raise BadRow("chosen and rejected are identical")
    if not writable(prompt + chosen + rejected):
        raise BadRow("a character stands in it that no encoding can write (half of a surrogate pair)")
    subset = next((row[key] for key in SUBSET if isinstance(row.get(key), str)), "")
    return Pair(prompt, chosen, rejected, _margin(row.get("margin")), line, subset.strip())


def writable(text: str) -> bool:
    """Whether a text can be encoded: JSON can spell half of a surrogate pair, which tokenizers refuse.

    >>> writable("a cat"), writable(chr(0xD800))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _field(row: dict, names: tuple[str, ...]) -> Any:
    for field_name in names:
        if not _missing(row.get(field_name)):
            return row[field_name]
    raise BadRow(f"the field {names[0]} is missing")


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _margin(value: Any) -> float | None:
    if _missing(value):
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadRow(f"the margin is {type(value).__name__}, not a number")
    if not abs(value) < 1e30:
        raise BadRow("the margin is no finite number")
    return float(value)


def _tools(value: Any) -> list[Any]:
    """The schemas of a row's tools; a data set may keep them as JSON text, since a column has one type."""
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except ValueError as error:
            raise BadRow("its tools are no JSON") from error
    if _missing(value) or value == "":
        return []
    if not isinstance(value, list):
        raise BadRow(f"its tools are {type(value).__name__}, not a list of schemas")
    return value


def _is_chat(value: Any) -> bool:
    """A list of turns; one that only calls tools may have no content."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(turn, dict)
            and isinstance(turn.get("role"), str)
            and (isinstance(turn.get("content"), str) or bool(turn.get("tool_calls")))
            for turn in value
        )
    )


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        what = (
            "a list, but not of chat messages with role and text"
            if isinstance(value, list)
            else f"{type(value).__name__}, not text"
        )
        raise BadRow(f"{name} is {what}")
    return value


def _divide(chosen: Any, rejected: Any, chat: Callable) -> tuple[str, str, str]:
    """Whole dialogues into their common prompt and two answers: divided at the last turn that both share, else at the
    last common word."""
    if _is_chat(chosen) and _is_chat(rejected):
        return _split_chat(chosen, rejected, chat)
    chosen, rejected = _text(chosen, "chosen"), _text(rejected, "rejected")
    common = os.path.commonprefix([chosen, rejected])
    for turn in _TURNS:
        if (at := common.rfind(turn)) >= 0:
            end = at + len(turn)
            return chosen[:end], chosen[end:], rejected[end:]
    end = max(common.rfind(" "), common.rfind("\n")) + 1 if len(common) < max(len(chosen), len(rejected)) else 0
    return chosen[:end], chosen[end:], rejected[end:]


def _split_chat(chosen: list, rejected: list, chat: Callable) -> tuple[str, str, str]:
    """Divided after the turns that both share and what the template writes before an answer."""
    turns = 0
    while turns < min(len(chosen), len(rejected)) - 1 and chosen[turns] == rejected[turns]:
        turns += 1
    for name, dialogue in (("chosen", chosen), ("rejected", rejected)):
        if not any((turn.get("content") or "").strip() or turn.get("tool_calls") for turn in dialogue[turns:]):
            raise BadRow(f"the {name} answer is empty")
    try:
        whole_chosen, whole_rejected, asked = (
            chat(chosen),
            chat(rejected),
            chat(chosen[:turns], asks=True) if turns else "",
        )
    except ValueError as error:
        raise BadRow(str(error)) from error
    prompt = os.path.commonprefix([asked, whole_chosen, whole_rejected])
    return prompt, whole_chosen[len(prompt) :], whole_rejected[len(prompt) :]


def _beside(prompt: Any, chosen: Any, rejected: Any, chat: Callable) -> tuple[str, str, str]:
    """A prompt that stands in a field of its own; where the answers repeat it, it is taken once."""
    if _is_chat(prompt):
        answers = [
            answer if _is_chat(answer) else [{"role": "assistant", "content": _text(answer, name)}]
            for answer, name in ((chosen, "chosen"), (rejected, "rejected"))
        ]
        return _split_chat(prompt + answers[0], prompt + answers[1], chat)
    prompt = _text(prompt, "prompt")
    if _is_chat(chosen) and _is_chat(rejected):
        if all(answer[0]["role"] == "user" and answer[0]["content"] == prompt for answer in (chosen, rejected)):
            return _split_chat(chosen, rejected, chat)
        asked = [{"role": "user", "content": prompt}]
        return _split_chat(asked + chosen, asked + rejected, chat)
    chosen, rejected = _text(chosen, "chosen"), _text(rejected, "rejected")
    if prompt and chosen.startswith(prompt) and rejected.startswith(prompt):
        return prompt, chosen[len(prompt) :], rejected[len(prompt) :]
    return prompt, chosen, rejected


def split_by_prompt(pairs: list[Pair], held_out: float, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Divide so that no prompt stands on both sides: an answer's twin in the test set would flatter the accuracy.

    Args:
        held_out: share of the pairs to hold out; at least one prompt stays on each side where there are two.

    Raises:
        ValueError: all pairs have one prompt.
    """
    prompts = sorted({pair.prompt for pair in pairs})
    if len(prompts) < 2:
        raise ValueError(f"{len(pairs)} pairs with {len(prompts)} distinct prompt(s) cannot be divided by prompt")
    random.Random(seed).shuffle(prompts)
    by_prompt: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_prompt.setdefault(pair.prompt, []).append(pair)
    wanted = max(1, round(held_out * len(pairs)))
    test: list[Pair] = []
    chosen_prompts = set()
    for prompt in prompts[:-1]:
        if len(test) >= wanted:
            break
        chosen_prompts.add(prompt)
        test.extend(by_prompt[prompt])
    return [pair for pair in pairs if pair.prompt not in chosen_prompts], test
