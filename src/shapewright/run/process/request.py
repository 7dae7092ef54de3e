"""What one run is asked to do. Plain data: it crosses a pipe."""

from __future__ import annotations

from dataclasses import field

from ...dataclass import dataclass


@dataclass(frozen=True)
class Size:
    """In the line of a script that reads `line`, the number `old` is to be `new`."""

    line: str
    old: int
    new: int


@dataclass(frozen=True)
class Small:
    """How a run is made small: numbers that size its data, whether of equal blocks two are kept, the most rows of a
    data set that is made up (0: as many as it is known to have), and which share of its batch each loader gives."""

    sizes: tuple[Size, ...] = ()
    blocks: bool = True
    rows: int = 0
    share: int = 1


DOCUMENTS = ("mapping", "paths", "number lists", "sentences", "numbered", "pairs", "settings")  # that JSON may hold
ASKED = ("", "")  # among `Guess.words`


@dataclass(frozen=True)
class Guess:
    """What a script does not tell of the data that are made up for it: the `width` of a table of numbers, the `first`
    label, whether columns are `floats` or `texts`, arrays of numbers of `single` precision, whether pictures are
    `masks` (of few values), in `turns` only those of every second folder, and how many `channels` and which `side` they
    have, whether texts are `rich` in words, or those that a place reads, or a file, have another of the `forms` (lines
    of `parts` as they are used, `tagged` words,
    `vectors` of words, `numbers`; `DOCUMENTS`; what was `asked` of it, found by a run that only `observes`), with names
    that are `needed`, or lines so many `fields`, or are of words that are `known`: those by which a table of its own is
    asked, in how many folders those that are listed
    are `nested`, whether their names are `worded` (of parts that the script takes apart) and they are `filled` with
    files of any form, the how manieth that the script may mean, and how `many` rows or files there are at least, and of
    single files that differ from the others the `own` width, rows and axes `(file, width, rows, axes)`, 0 or none for
    the usual ones, a width below 0 of a list without rows; the sizes of one row's `axes`, 0 for a side, below 0 for
    the width, where it is no list of numbers; which hold `whole` numbers; whether all integers are `low`, which no
    table lacks a row of; `chosen`: arguments without a default, of
    which the script never asks whether they were given, are given. How its author starts it: from `folder`, where that
    is not the user's own, and with a `second` Python, version 2; with the arguments `argv`, which its project shows or,
    where they are `chosen`, which it takes by their places; the `words` given for arguments by name, of those that the
    script accepts; `ASKED` to see which these are. `unread` are its classes of data sets whose samples need what is not
    here, `samples` the shapes of their parts `(part, sizes of one, what integers are below)` as operators told. Of an
    environment whose spaces are not known it is the how manieth of those `spaces` that may be meant, 0 for none. A
    pickled list holds `records` of arrays by names. What installed
    libraries no longer have, `gone`, is unknown `module:name`. With
    `beyond`, a run goes on beyond calls that torch no longer makes (`record/once`) and beyond cells that failed for
    their author."""

    width: int = 5
    first: int = 0
    floats: bool = False
    texts: bool = False
    single: bool = False
    masks: bool = False
    turns: bool = False
    rich: bool = False
    forms: tuple[tuple[str, str], ...] = ()
    fields: int = 0
    nested: int = 0
    worded: bool = False
    filled: int = 0
    many: int = 0
    own: tuple[tuple[str, int, int, tuple[int, ...]], ...] = ()
    axes: tuple[int, ...] = ()
    whole: tuple[str, ...] = ()
    low: bool = False
    channels: int = 3
    side: int = 64
    chosen: bool = False
    folder: str = ""
    second: bool = False
    argv: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()
    samples: tuple[tuple[str, tuple[int, ...], int], ...] = ()
    beyond: bool = False
    spaces: int = 0
    observes: bool = False
    records: bool = False
    needed: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class Noting(Guess):
    """A guess that notes which of its fields are read."""

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_"):
            object.__getattribute__(self, "__dict__").get("_read", set()).add(name)
        return super().__getattribute__(name)


def noting(guess: Guess, read: set[str]) -> Guess:
    """A guess that adds the names of its fields that are read to a set.

    >>> read = set()
    >>> noting(Guess(width=3), read).width, read
    (3, {'width'})
    """
    made = Noting()
    made.__dict__.update(vars(guess), _read=read)
    return made


@dataclass(frozen=True)
class RunRequest:
    """One execution of a script.

    Args:
        script: path of the script as the user gave it (a `.py` file, a notebook, or `-m` module turned into its file).
        argv: arguments after `--`.
        engine: `live`, `dry` or `auto`.
        timeout: seconds of wall time for the child.
        memory: bytes of memory that the child may allocate beyond its start.
        sources: texts that replace files on disk (verification of an edit), by absolute path.
        batch_size: override of every DataLoader's batch size; `None` keeps the script's own.
        whole: run loops to their end instead of cutting them.
        epochs: run the loops around others that train or evaluate to their end, and cut those alone.
        longer: how many iterations more than usual run before a loop is cut.
        passing: files and lines, each of which is passed over where it fails (`ending/passing`).
        brief: cut loops after one iteration and the last one, run one epoch, and let a large model's optimizer leave
        the weights as they are:
            enough to see whether an edit is worth a run of the usual length.
        park: lines on each of which a statement of the script begins, before which to wait for requests to go on
            (`parking`).
        versions: texts of the script with which such requests will come, where they are known.
        probe: ask the probes after the run.
        small: how the script is made small, where it outgrew the live engine.
        first: end the run after the first call of a model: what it is given is all that is asked.
        measured: let a live run under `auto` do so much work as it likes within its time.
        accelerator: kind of the simulated accelerator that is there from the first line on; empty where the script
            decides (`device/worlds`).
        early: also tell what happened before the probes are asked.
        guess: what is taken of made-up data.
        axes: arrays that were made up, each with the other number of axes that is tried of it (`stand_ins/tried`).
        settled: the number of axes of made-up data is taken to be known.
        rank: which of two processes this run is; below 0 where it is alone.
        pair: a mark that it shares with the run of the other rank, with which it exchanges what the ranks send.
        build: where the script only defines modules, build and call them with sizes and inputs that are made up.
        until: when the check that this run is part of should be done, of `time.monotonic`; 0 where that is open.
        show_output: pass what the script prints on to standard error.
    """

    script: str
    argv: tuple[str, ...] = ()
    engine: str = "auto"
    timeout: float = 60.0
    memory: int = 8 << 30
    sources: dict[str, str] = field(default_factory=dict)
    batch_size: int | None = None
    whole: bool = False
    epochs: bool = False
    longer: int = 0
    passing: tuple[tuple[str, int], ...] = ()
    brief: bool = False
    park: tuple[int, ...] = ()
    versions: tuple[str, ...] = ()
    probe: bool = True
    small: Small | None = None
    first: bool = False
    measured: bool = True
    accelerator: str = ""
    early: bool = False
    guess: Guess = Guess()
    axes: tuple[tuple[str, str], ...] = ()
    settled: bool = False
    rank: int = -1
    pair: str = ""
    build: bool = False
    until: float = 0.0
    show_output: bool = False
    cwd: str = ""
    entries: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that the script is run with: the user's, else those that its project shows."""
        return self.argv or self.guess.argv
