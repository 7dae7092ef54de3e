"""What patches share: where to write, whom to tell, which line of the user's asked."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any

from ...trace import Site
from ..process.request import Guess, RunRequest, noting
from ..script.sources import LIBRARIES

if TYPE_CHECKING:
    from ..record.assume import Assumptions
    from .files.usage import Usage

COUNT = 107  # of what nothing tells how many there are: a number that no script has
MOST = 60  # texts of which is told where they were read
_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")
_HERE = str(Path(__file__).resolve().parents[2])
_LIBRARY = tuple(str(Path(folder).resolve()) + os.sep for folder in LIBRARIES)


@cache
def is_user_file(path: str) -> bool:
    """Whether code of this file name is the user's own: not the interpreter's, not an installed package's, not ours."""
    if not path or path.startswith("<"):
        return False
    if "site-packages" in path or "dist-packages" in path:
        return False
    full = os.path.realpath(path)
    return not full.startswith(_HERE + os.sep) and not full.startswith(_LIBRARY)


def decorated(value: object) -> bool:
    """Whether a function or class of the script's own is given, not one such as `np.float32`."""
    module = getattr(value, "__module__", None) or ""
    home = getattr(sys.modules.get(module), "__file__", None)
    return isinstance(value, (type, FunctionType)) and module != "builtins" and (home is None or is_user_file(home))


def is_own_file(path: str) -> bool:
    """Whether code of this file name is the script's own project's, and not of a library that lies beside it."""
    from ..script.sources import library_of

    script = _current[-1].script if _current else ""
    return is_user_file(path) and not library_of(path, os.path.dirname(os.path.abspath(script)))


def user_frame(start: FrameType | None = None) -> FrameType | None:
    """The innermost frame on the stack that runs the user's code."""
    frame = start or sys._getframe(1)
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _line_here() -> str:
    """The line of the user's code that is under way; `?` where there is none."""
    frame = user_frame(sys._getframe(1))
    return str(frame.f_lineno) if frame is not None else "?"


_current: list[Context] = []


def tell(kind: str, **fields: Any) -> None:
    """Record an assumption of the running process, for stand-ins that are modules of their own."""
    if _current:
        _current[-1].note(kind, **fields)


def current() -> Context | None:
    """The context of the running process, for stand-ins that are modules of their own."""
    return _current[-1] if _current else None


def wrapped(averaging: bool = False) -> None:
    """Note that a model is given to what averages gradients over processes; `averaging` where it has to be called
    through it."""
    ranks = _current[-1].ranks if _current else None
    if ranks is not None and (site := ranks.site()) is not None:
        ranks.wrapped.append(site)
        ranks.averaging = ranks.averaging or averaging


def learns_through(wrapper: object, lacking: list[str]) -> None:
    """Note that a model is called to learn through a wrapper that averages its gradients; `lacking` are the parameters
    that the backward pass before gave none."""
    ranks = _current[-1].ranks if _current else None
    if ranks is None:
        return
    if all(known is not wrapper for known in ranks.models):
        ranks.models.append(wrapper)
    if lacking:
        ranks.lacked(lacking)


def user_text() -> str:
    """The texts of the user's files, for stand-ins that are modules of their own."""
    return _current[-1].user_text() if _current else ""


def _written(asked: Any) -> str:
    from .files.asked import written

    return written(asked)


class Context:
    """State of the stand-ins in one child process."""

    def __init__(
        self,
        assumptions: Assumptions,
        scratch: Path | None = None,
        display: Callable[[str], str] = str,
        script: str = "",
    ) -> None:
        self.assumptions, self.script = assumptions, script
        self.display = display
        self._scratch = scratch
        self._folders: dict[str, Path] = {}
        self.fitted: dict[type, Any] = {}
        self.consulted: set[str] = set()  # what of the guess the run depends on
        self.guess = Guess()
        self.rows = 0  # the most that a data set has of which more are known; 0 where it has them all
        self.rank: int | None = None  # which of several processes this is
        self.ranks: Any = None  # what this process does beside others: `ranks.Calls`
        self.made: tuple[str, str] | None = None  # the first file whose data were made up, and the line that read it
        self.invented: tuple[str, str] | None = None  # the first module that would have made data, and the line
        # the first that would have told a number, the line, and what stands for the number
        self.told_count: tuple[str, str, int] | None = None
        self.called: tuple[str, str] | None = None  # the last module that was called and is not there, and the line
        self.handed = False  # whether it was given what the script derived from it, to run that
        self.fits = (0, 0)  # the epochs that a library was asked to train, and the optimizer's steps in each of them
        self.few = False  # whether made-up rows are fewer than those of the real data
        self.whole = False  # whether what a library reads is made up as a whole, not file by file
        self.loose = False  # whether it is not known how many axes such data have
        self.untried = False  # whether that is of something which cannot be tried with another number of axes
        self.untold: dict[str, dict[str, int]] = {}  # arrays which can, by names alike, and how many axes they have
        self.settled = False  # whether the number of axes of all such data is taken to be known
        self.axes: tuple[tuple[str, str], ...] = ()  # of which another number is tried, and which: `tried`
        self.lent: list[tuple[Any, Any, str]] = []  # what learns, its state, who was called with it
        self.steered = False  # whether one of them is an optimizer
        self.read: list[tuple[str, str]] = []  # texts and documents that are made up, and where they are read
        self.loaded: Counter[str] = Counter()  # how often each file was read that held objects
        self.asked: dict[str, Any] = {}  # what is asked of texts, where a run observes it: `files.asked.Asked`
        self.pictured: list[str] = []  # folders of pictures that are made up, in the order in which they are asked for
        self.sized: list[str] = []  # files of rows that are made up, in the order in which they are read
        self._told: set[str] = set()
        self.lacked: tuple[str, tuple[str, ...], str] = ("", (), "")  # what a failing call lacked: `unread.lacked`
        self.readers: list[CodeType] = []  # the user's functions under way where data were made up first
        self.readings = 0  # how often data were made up
        self.learnt: dict[str, tuple[tuple[int, ...], int]] = {}  # shapes of parts of samples that could not be read
        self.left_out = False  # whether an argument or a variable may be given that was not
        self.switch = ""  # the argument that turns training on and was not given
        self.worded = False  # whether a word was made up for an argument
        self.offered: dict[tuple[str, object], list[str]] = {}  # see `offered`, by argument and code that asked
        self.absent: list[str] = []  # checkpoints that were not there
        self.active = True  # patches outlive a run made in a caller's own process: after it they do nothing
        self.stands: Callable[[], object] = bool  # is told that something stands for a tensor: `standing`
        self.cut: Callable[[], bool] = bool  # whether a loop of the run was cut
        self.trained: Callable[[], bool] = bool  # whether a derivative was computed or an optimizer took a step
        _current.append(self)

    @contextlib.contextmanager
    def as_it_is(self) -> Iterator[None]:
        """Answer for no file while the body runs: a library's own data set is made up as a whole."""
        kept, self.whole = self.whole, True
        try:
            yield
        finally:
            self.whole = kept

    @property
    def guess(self) -> Guess:
        """What is taken of made-up data; what is read of it is noted."""
        return self._guess

    @guess.setter
    def guess(self, guess: Guess) -> None:
        self._guess = noting(guess, self.consulted)

    def take(self, request: RunRequest) -> None:
        """Make data up as a run is asked to."""
        self.guess, self.axes, self.settled = request.guess, request.axes, request.settled
        self.rows = request.small.rows if request.small is not None else 0

    def offline(self) -> None:
        """Tell Hugging Face libraries to look at local files only, so that nothing waits for a network."""
        for name in _OFFLINE:
            os.environ[name] = "1"
        constants = sys.modules.get("huggingface_hub.constants")
        if constants is not None:
            constants.HF_HUB_OFFLINE = True

    def folder(self, name: str) -> Path:
        """A folder of this run's own under the scratch folder."""
        if name not in self._folders:
            base = self._scratch or Path(tempfile.mkdtemp(prefix="shapewright-"))
            self._scratch = base
            path = base / "stand-ins" / name.replace("/", "--")
            path.mkdir(parents=True, exist_ok=True)
            self._folders[name] = path
        return self._folders[name]

    def note(self, kind: str, **fields: Any) -> None:
        """Record an assumption at the user's line that led here."""
        frame = user_frame(sys._getframe(1))
        site = None
        if frame is not None:
            site = Site(self.display(frame.f_code.co_filename), frame.f_lineno, function=frame.f_code.co_name)
        self.assumptions.add(kind, site=site, **{key: str(value) for key, value in fields.items()})

    def made_up(self, file: Any, other: str = "") -> None:
        """Tell that the data of a file that is not there were made up, or read from an `other`."""
        name = os.fsdecode(file) if isinstance(file, (str, bytes, os.PathLike)) else str(file)
        line = _line_here()
        self.made, self.few = self.made or (name, line), True
        self._reads()
        if {line, os.path.dirname(name)} & self._told:
            return  # one of many that a line reads, or that a folder was told to hold
        self._told |= {line, name}
        if other:
            self.note("file-alike", file=name, other=other)
        else:
            self.note("stand-in-file", file=name)

    def _reads(self) -> None:
        """Remember the user's functions under way where data are made up first, the outermost first, and how often."""
        self.readings += 1
        frame = user_frame(sys._getframe(2)) if self.readings == 1 else None
        while frame is not None:
            self.readers.insert(0, frame.f_code)
            frame = user_frame(frame.f_back) if frame.f_back is not None else None

    def form(self, file: Any) -> str:
        """The form that a text or a document is to have which the user's code reads here; empty for the usual one."""
        frame = user_frame(sys._getframe(1))
        place = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else ""
        self.read.append((os.fsdecode(file), place))
        known = dict(self.guess.forms)
        return known.get(self.read[-1][0]) or known.get(place, "")

    def masked(self, path: Any) -> bool:
        """Whether a made-up picture is a mask: all are, or those of every second folder, as where the pictures of one
        part of the data and their masks lie side by side."""
        if (folder := os.path.dirname(os.fsdecode(path))) not in self.pictured:
            self.pictured.append(folder)
        return self.guess.masks and (not self.guess.turns or self.pictured.index(folder) % 2 == 1)

    def of_file(self, file: Any) -> Guess:
        """The guess for a file of rows, which may have a size of its own."""
        self.sized.append(os.fsdecode(file) if isinstance(file, (str, bytes, os.PathLike)) else str(file))
        width, many, axes = next((sizes for name, *sizes in self.guess.own if name == self.sized[-1]), (0, 0, ()))
        if not (width or many or axes):
            return self.guess
        usual = {part.name: vars(self.guess)[part.name] for part in dataclasses.fields(Guess)}  # which consults nothing
        own = {"width": width or usual["width"], "many": many or usual["many"], "axes": axes or usual["axes"]}
        return noting(Guess(**usual | own), self.consulted)

    def asked_of(self) -> Any:
        """What the user's code takes out of a document that it reads here: a `documents.Part`, or `None`."""
        from ..script.reading import Script, read
        from .files.documents import taken

        frame = user_frame(sys._getframe(1))
        found = read(frame.f_code.co_filename) if frame is not None else None
        return taken(found.text, frame.f_lineno) if frame is not None and isinstance(found, Script) else None

    def loosen(self, tried: bool = False) -> None:
        """Remember that it is not known how many axes some data have; `tried` where others may be tried."""
        self.loose, self.untried = True, self.untried or not tried

    def invents(self, module: str, ranked: bool, tried: bool = True) -> None:
        """Tell that data which a module that is not installed would have made were made up; `ranked` where the number
        of their axes is known, `tried` as for `loosen`."""
        if not ranked:
            self.loosen(tried)
        self._reads()
        if self.invented is None:
            self.invented = (module, _line_here())
        if module not in self._told:
            self._told.add(module)
            self.note("stand-in-values", module=module)

    def counts(self, module: str) -> int:
        """A number that a module that is not installed would have told."""
        self.told_count = self.told_count or (module, _line_here(), COUNT)
        return COUNT

    def passes_over(self, module: str, handed: bool = False) -> None:
        """Remember that a call of what is not there was passed over, which was `handed` what the script derived from
        it."""
        self.handed = self.handed or handed
        self.called = (module, _line_here())

    def seen(self, computed: bool = True) -> dict[str, Any]:
        """What is told of data that were made up, and of what was lent; where nothing was `computed`, what is not there
        was to do it."""
        from .lent import untrained

        told = {
            "made": self.made,
            "invented": self.invented,
            "told_count": self.told_count,
            "loose": self.loose and not self.settled,
            "untold": ()
            if self.untried
            else tuple((like, tuple(known.items())) for like, known in self.untold.items()),
            "few": self.few,
            "fits": self.fits,
            "consulted": tuple(sorted(self.consulted)),
            "read": tuple(dict.fromkeys(self.read))[-MOST:],
            "sized": tuple(dict.fromkeys(reversed(self.sized)))[:MOST],
            "asked": tuple((name, _written(asked)) for name, asked in self.asked.items() if asked.told),
            "pictured": len(self.pictured),
            "settings": "settings" in dict(self.guess.forms).values(),
            "steered": self.steered,
        }
        told |= {"left_out": self.left_out, "switch": self.switch}
        told["worded"] = self.worded
        told["offered"] = tuple((name, tuple(words)) for (name, _), words in self.offered.items() if words)
        told |= dict(zip(("unread", "keys", "gone"), self.lacked)) | {"learnt": tuple(self.learnt.items())}
        if self.called is not None and (not computed or (self.handed and not self.trained())):
            return {**told, "invented": self.invented or self.called, "untrained": self.called[0]}
        return {**told, "untrained": untrained(self.lent)}

    def width(self, guess: Guess) -> int:
        """How many numbers a made-up row has: as many as rows are shaped into, where no other guess is tried."""
        return guess.width if guess.width != Guess.width else self.usage.folded or Guess.width

    def row(self, guess: Guess) -> tuple[int, ...]:
        """The shape of a made-up row of which it is not known how many axes it has."""
        if (width := self.width(guess)) < 0:
            return ()
        return tuple(width if size < 0 else size or guess.side for size in guess.axes) or (width,)

    @cached_property
    def usage(self) -> Usage:
        """What the script's own sources tell of the data that it reads."""
        from .files.usage import usage

        return usage(self.texts())

    def asked_by(self, frame: FrameType) -> list[str]:
        """The names that the file of a frame subscripts with."""
        from ..script.reading import Script, read
        from .files.usage import usage

        found = read(frame.f_code.co_filename)
        return usage([found.text]).keys if isinstance(found, Script) else self.usage.keys

    @cached_property
    def pictures(self) -> bool:
        """Whether the script's own sources open pictures."""
        return not {"imread", "read_image"}.isdisjoint(self.usage.called) or "Image.open" in self.user_text()

    def texts(self) -> list[str]:
        """The sources of the user's files that are loaded, under way, or the script; of notebooks their code."""
        from ..script.reading import Script, read

        files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        frame = user_frame(sys._getframe(1))
        while frame is not None:
            files.add(frame.f_code.co_filename)
            frame = frame.f_back
        found = [
            read(file)
            for file in sorted(file for file in {*files, self.script} if isinstance(file, str))
            if file.endswith((".py", ".ipynb")) and (file == self.script or is_own_file(file))
        ]
        return [script.text for script in found if isinstance(script, Script)]

    def user_text(self) -> str:
        """The sources of the user's files, to see which names they use."""
        return "\n".join(self.texts())
