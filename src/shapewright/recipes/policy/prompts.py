"""Prompts to answer: from a file or the hub, or generated; fitted to the model; and which of them each update takes."""

import torch

from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.rows import Complaints, writable
from shapewright.recipes.preference.sources import SourceError, read_rows
from shapewright.recipes.settings import UsageError


def read_prompts(name: str, codec: Codec, complaints: Complaints) -> list[str]:
    """The distinct prompts of a source, in order.

    Args:
        name: JSONL, JSON, CSV, Parquet or hub name whose rows are texts, or have a `prompt` (text or chat messages);
        empty: generated ones.

    Raises:
        UsageError: the source cannot be read or has fewer than two prompts.
    """
    found: dict[str, None] = {}
    try:
        for line, row in read_rows(name) if name else enumerate(generated.prompts(400), 1):
            prompt = row.get("prompt") if isinstance(row, dict) else row
            if isinstance(prompt, list):
                try:
                    prompt = codec.chat(prompt, asks=prompt[-1]["role"] != "assistant")
                except (TypeError, KeyError, AttributeError, IndexError, ValueError):
                    prompt = None
            if not isinstance(prompt, str) or not prompt.strip() or not writable(prompt):
                complaints.add(
                    f"left out: {row if isinstance(row, Exception) else 'the prompt is missing, empty or not text'}",
                    line,
                )
            else:
                found[prompt] = None
    except SourceError as error:
        raise UsageError(str(error)) from error
    if len(found) < 2:
        raise UsageError(
            f"{name} has {len(found)} usable prompt(s); one to train on and one to judge by are "
            f"needed\n{complaints.text()}"
        )
    return list(found)


def fit(prompts: list[str], codec: Codec, room: int, complaints: Complaints) -> list[list[int]]:
    """Token ids of prompts, the beginning cut where they are longer than `room` tokens (counted in `complaints`).

    Raises:
        UsageError: there is no room for any prompt.
    """
    if room < 1:
        raise UsageError(
            f"no room for a prompt: answers take all positions of the model but {room}; choose a smaller --max-new"
        )
    encoded = codec.encode_many(prompts)
    for number, ids in enumerate(encoded, 1):
        if len(ids) > room:
            complaints.add(f"shortened: beginning of the prompt cut to fit {room} tokens", number)
    return [codec.shorten(ids, room) for ids in encoded]


def taken(positions: list[int], count: int, seed: int) -> list[int]:
    """Which prompts stand at positions of an endless sequence of shuffled passes over `count` prompts.

    >>> sorted(taken([0, 1, 2], 3, seed=0)), sorted(taken([3, 4, 5], 3, seed=0))
    ([0, 1, 2], [0, 1, 2])
    """
    orders: dict[int, list[int]] = {}
    for turn in {position // count for position in positions}:
        orders[turn] = torch.randperm(
            count, generator=torch.Generator().manual_seed((seed * 1_000_003 + turn) % 2**63)
        ).tolist()
    return [orders[position // count][position % count] for position in positions]
