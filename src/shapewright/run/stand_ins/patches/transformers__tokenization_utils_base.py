"""Tokenizers are called by the methods and arguments that they had before version 5, too."""

from __future__ import annotations

import collections
import functools
from types import ModuleType
from typing import Any

from ..context import Context

CALLED = ("encode_plus", "batch_encode_plus")
TEXT = "batch_text_or_text_pairs"
LONGEST = "max_model_input_sizes"
PADDED = "pad_to_max_length"


def patch(module: ModuleType, context: Context) -> None:
    """Give tokenizers these methods again that they lack, and read the old argument as the present one."""
    base = module.PreTrainedTokenizerBase
    for name in CALLED:
        if not hasattr(base, name):
            setattr(base, name, _method(name, context))
    if not hasattr(base, LONGEST):
        setattr(base, LONGEST, property(functools.partial(_longest, context)))
    call = base.__call__

    @functools.wraps(call)
    def tokenize(self: Any, *args: Any, **options: Any) -> Any:
        return call(self, *args, **_present(options, context))

    base.__call__ = tokenize


def _method(name: str, context: Context) -> Any:
    def call(self: Any, *args: Any, **options: Any) -> Any:
        context.note("old-interface", old=f"tokenizer.{name}(…)", new="tokenizer(…)")
        if TEXT in options:
            args, options = (options[TEXT], *args), {key: value for key, value in options.items() if key != TEXT}
        return self(*args, **options)

    return call


def _longest(context: Context, tokenizer: Any) -> Any:
    """How many tokens models take, by their names."""
    context.note("old-interface", old=f"tokenizer.{LONGEST}[…]", new="tokenizer.model_max_length")
    return collections.defaultdict(lambda: tokenizer.model_max_length)


def _present(options: dict[str, Any], context: Context) -> dict[str, Any]:
    if PADDED not in options:
        return options
    context.note("old-interface", old=f"{PADDED}=True", new='padding="max_length", truncation=True')
    kept = {key: value for key, value in options.items() if key != PADDED}
    return {"padding": "max_length", "truncation": True, **kept} if options[PADDED] else kept
