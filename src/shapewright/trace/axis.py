"""One dimension of a tensor, with its name and where it came from."""

from __future__ import annotations

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True, slots=True)
class Origin:
    """Why an axis has the size that it has.

    `kind` is one of: `loader` (a DataLoader's batch), `constructor` (a module's argument), `dataset`, `literal` (a
    factory call), `operator` (an op that made or merged the axis), `parameter`, `index`, `padding`, `unknown`. `note`
    is data, not prose: the short source of the value, such as `Linear(768, 1)` or `DataLoader(batch_size=32)`. Rules
    add the kinds `definition`, `argument`, `condition` and `module`, what the author says (`comment`, `docstring`,
    `annotation`, `pattern`, `assert`, `unpacked`), and the label of the `axis` that they speak of.
    """

    kind: str
    note: str = ""
    site: Site | None = None
    stack: tuple[Site, ...] = ()
    axis: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension. `uids` are the identities of its factors, outermost first: an axis merged by `flatten` has
    several, each `(identity, size)`; two axes that stem from one source share an identity. `role` is `batch`, `time`,
    `feature`, `vocabulary`, `channel`, `height`, `width` or empty where it is not known."""

    size: int
    role: str = ""
    origin: Origin | None = None
    uids: tuple[tuple[int, int], ...] = ()

    @property
    def is_feature(self) -> bool:
        """Whether what is counted are the numbers that describe one thing."""
        return self.role in ("feature", "channel", "vocabulary")

    @property
    def label(self) -> str:
        """`batch=32` where the role is known, else `32`."""
        return f"{self.role}={self.size}" if self.role else str(self.size)
