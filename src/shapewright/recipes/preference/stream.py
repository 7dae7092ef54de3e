"""Pairs read while they are trained on: a window of rows at a time, each process taking its share of every window.

Where reading is, is one number, the row at which the current window begins, so that a run goes on at its row; between
two windows also with another number of processes. Does not train and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.loop.order import Shares
from shapewright.recipes.loop.run import Run
from shapewright.recipes.preference.corpus import Corpus
from shapewright.recipes.preference.encoding import EncodedPair, encode_pairs, grouping
from shapewright.recipes.preference.rows import Complaints, read_pairs
from shapewright.recipes.preference.sources import SourceError, read_rows
from shapewright.recipes.settings import UsageError


class Windows:
    """The windows of a source, one after the other; behind its end it begins anew.

    Args:
        args: the recipe's settings (`data`, `stream`, `overlong`, `batch_size`, `group_by_length`, `accumulate`,
        `seed`).
        corpus: what was read to begin with; pairs whose prompt is held out there are never trained on.
        limit: longest row in tokens.
    """

    def __init__(self, args: Any, codec: Codec, corpus: Corpus, limit: int) -> None:
        self.args, self.codec, self.limit = args, codec, limit
        self.held_out = {pair.prompt for pair in corpus.test_pairs}
        self.spare = corpus.train[0]  # computed, and counted for nothing, by a process whose share is empty
        self.complaints = Complaints()
        self.rows: Iterator[tuple[int, Any]] = iter(())
        self.position = -1

    def enter(self, run: Run) -> tuple[list[EncodedPair], Shares]:
        """This process's pairs of the window at which the run stands, and their order. Every process calls it.

        Raises `UsageError` where no pair of the window is usable, where the source cannot be read, or where a run that
        was saved within a window goes on with another number of processes.
        """
        rank, processes = run.accelerator.process_index, run.accelerator.num_processes
        stood = run.state.extra.get("processes", processes)
        if run.state.batch and stood != processes:
            raise UsageError(
                f"{run.folder} was saved within a window of its stream by {stood} process(es): "
                f"go on with as many, at least to the window's end"
            )
        first = run.state.extra.get("row", 0)
        try:
            rows = self._read(first) or self._read(0)
        except SourceError as error:
            raise UsageError(str(error)) from error
        run.state.extra = {"row": first, "processes": processes}
        raw = read_pairs(rows[rank::processes], self.codec.chat, self.complaints)
        raw = [pair for pair in raw if pair.prompt not in self.held_out]
        pairs = encode_pairs(raw, self.codec, self.limit, self.complaints, overlong=self.args.overlong)
        sizes = run.everyones(len(pairs))
        if not any(sizes):
            raise UsageError(f"no usable pair in {len(rows)} rows of {self.args.data} from row {first + 1} on")
        args = self.args
        grouped = grouping(pairs, args.batch_size * args.accumulate, args.seed) if args.group_by_length else None
        order = Shares(tuple(sizes), args.batch_size, args.seed, args.accumulate, rank, grouped)
        return pairs or [self.spare], order

    def leave(self, run: Run) -> None:
        """The window is trained on: the next one begins behind it."""
        run.state.extra = {**run.state.extra, "row": self.position}

    def _read(self, first: int) -> list[tuple[int, Any]]:
        """The rows of the window that begins at row `first`; none behind the end."""
        if first != self.position:
            self.rows = iter(read_rows(self.args.data, first, streamed=True))
        rows = list(islice(self.rows, self.args.stream))
        self.position = first + len(rows)
        return rows
