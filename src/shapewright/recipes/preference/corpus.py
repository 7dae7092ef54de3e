"""From a data name to encoded pairs on both sides of a split: the steps that `reward` and DPO share."""

from dataclasses import dataclass
from itertools import chain, islice

from shapewright.recipes.backbone.codec import Codec, plain_chat
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.encoding import EncodedPair, encode_pairs
from shapewright.recipes.preference.rows import Complaints, Pair, other_form, read_pairs, split_by_prompt
from shapewright.recipes.preference.sources import SourceError, read_rows
from shapewright.recipes.settings import UsageError


@dataclass(frozen=True)
class Corpus:
    """Pairs to train on and pairs held out, no prompt on both sides; `complaints` tells what was left out or
    shortened, `read` how many rows there were."""

    train: list[EncodedPair]
    test: list[EncodedPair]
    test_pairs: list[Pair]
    complaints: Complaints
    source: str
    read: int = 0


def raw_pairs(data: str, codec: Codec | None, complaints: Complaints, first: int = 0) -> tuple[list[Pair], str]:
    """The usable pairs of a file, a hub name, or (empty) the generated ones; and a word on where they come from.

    Args:
        first: read so many rows only, as a stream; 0 reads all.

    Raises:
        UsageError: the source cannot be read, or no row of it is a pair.
    """
    chat = codec.chat if codec is not None else plain_chat
    try:
        given = read_rows(data, streamed=bool(first)) if data else enumerate(generated.rows(), 1)
        rows = islice(given, first or None)
        beginning = list(islice(rows, 1))  # the rest is read pair by pair
        if beginning and (form := other_form(beginning[0][1])):
            raise UsageError(
                f"{data} holds no pairs: its rows ({', '.join(sorted(beginning[0][1]))}) are {form}; "
                f"this recipe compares two answers to one prompt, chosen and rejected"
            )
        pairs = read_pairs(chain(beginning, rows), chat, complaints)
    except SourceError as error:
        raise UsageError(str(error)) from error
    if not pairs:
        raise UsageError(f"{data} has no usable pair\n{complaints.text()}")
    return pairs, data or "generated pairs (embedded default)"


def encode_corpus(
    pairs: list[Pair],
    source: str,
    codec: Codec,
    limit: int,
    complaints: Complaints,
    *,
    held_out: float,
    seed: int,
    overlong: str,
    test_data: str = "",
) -> Corpus:
    """Split by prompt (or take the pairs of `test_data`, less those whose prompt is trained on), tokenize, fit into the
    limit.

    Raises:
        UsageError: nothing is left on one of the sides.
    """
    read = len(pairs) + complaints.count
    if test_data:
        seen = {pair.prompt for pair in pairs}
        train, test = pairs, []
        for pair in raw_pairs(test_data, codec, complaints)[0]:
            if pair.prompt in seen:
                complaints.add("left out of the test: its prompt is trained on", pair.line)
            else:
                test.append(pair)
    else:
        try:
            train, test = split_by_prompt(pairs, held_out, seed)
        except ValueError as error:
            raise UsageError(f"{error}\n{complaints.text()}".strip()) from error
    encoded_train = encode_pairs(train, codec, limit, complaints, overlong=overlong)
    encoded_test = encode_pairs(test, codec, limit, complaints, overlong=overlong)
    if not encoded_train or not encoded_test:
        raise UsageError(
            f"no pair is left to {'train on' if not encoded_train else 'hold out'} within {limit} "
            f"tokens\n{complaints.text()}"
        )
    kept = {pair.line for pair in encoded_test}
    return Corpus(encoded_train, encoded_test, [pair for pair in test if pair.line in kept], complaints, source, read)
