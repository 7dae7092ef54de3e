"""A private view of the disk: what the script writes, deletes or renames happens in a scratch folder laid over the real
files.

It maps paths and copies; the functions that scripts call are put in its place by `files`. Internally it calls `posix`,
which is not replaced. Until the first change every path stands for itself.
"""

from __future__ import annotations

import errno
import os
import posix
import stat
from collections.abc import Callable

COPY_LIMIT = 2 << 30  # bytes of one file that is changed in place
LINKS = 40
DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
)


def failed(number: int, path: object) -> OSError:
    """The error that the system would give."""
    return OSError(number, os.strerror(number), path)


class Overlay:
    """Maps absolute paths as the script sees them to where their content is.

    Args:
        scratch: folder in which the script may really write.
        tell: called with the path whenever a real file or folder would have been changed.
    """

    def __init__(self, scratch: str, tell: Callable[[str], None]) -> None:
        self.scratch = os.path.realpath(scratch)
        self.upper = self.scratch + "/disk"
        posix.mkdir(self.upper, 0o700)
        self.tell = tell
        self.cwd = posix.getcwd()
        self.moved = False
        self.touched = False
        self.removed: set[str] = set()
        self.made: set[str] = set()  # folders
        self._folders: dict[str, str] = {}

    # Paths

    def free(self, path: str) -> bool:
        """Whether `path` is used as it is: the scratch folder, devices and the kernel's files."""
        return (
            path.startswith((self.scratch + "/", "/proc/", "/sys/", "/dev/fd/"))
            or path == self.scratch
            or path in DEVICES
        )

    def canonical(self, path: object, follow: bool = True, dir_fd: int | None = None) -> str:
        """`path` absolute, links in its folders (and at its end, with `follow`) followed in the script's view."""
        text = os.fsdecode(path)  # type: ignore[arg-type]
        if not text:
            raise failed(errno.ENOENT, path)
        if text[0] != "/":
            base = self.cwd if dir_fd is None else posix.readlink(f"/proc/self/fd/{dir_fd}")
            if dir_fd is not None and base.startswith(self.upper + "/"):
                base = base[len(self.upper) :]
            text = f"{base}/{text}"
        text = os.path.normpath(text)
        if text.startswith("//"):
            text = text[1:]
        for _ in range(LINKS):
            if self.free(text) or text == "/":
                return text
            folder, name = text.rsplit("/", 1)
            text = f"{self._folder(folder)}/{name}"
            if not follow:
                return text
            target = self._link(text)
            if target is None:
                return text
            text = os.path.normpath(os.path.join(text.rsplit("/", 1)[0] or "/", target))
        raise failed(errno.ELOOP, path)

    def _folder(self, path: str) -> str:
        if path == "":
            return ""
        known = self._folders.get(path)
        if known is None:
            known = self.canonical(path)
            known = "" if known == "/" else known
            if len(self._folders) < 10_000:
                self._folders[path] = known
        return known

    def _link(self, path: str) -> str | None:
        place = self.place(path)
        try:
            return None if place is None else posix.readlink(place)
        except OSError:
            return None

    def place(self, path: str) -> str | None:
        """Where the content of a canonical path is; `None` where the script has deleted it."""
        if not self.touched or self.free(path):
            return path
        if _exists(self.upper + path):
            return self.upper + path
        return None if self._hidden(path) else path

    def _hidden(self, path: str) -> bool:
        while self.removed and path:
            if path in self.removed:
                return True
            path = path.rpartition("/")[0]
        return False

    # Reading

    def existing(self, path: object, follow: bool = True, dir_fd: int | None = None) -> object:
        """What to hand to the system in order to read `path`. Raises FileNotFoundError for what the script deleted."""
        if not self.touched and not self.moved:
            return path
        canonical = self.canonical(path, follow, dir_fd)
        place = self.place(canonical)
        if place is None:
            raise failed(errno.ENOENT, path)
        if place == canonical and not self.moved:
            return path
        return place

    def names(self, path: object) -> list[str] | None:
        """The names in a folder as the script sees it; `None` where the real folder is untouched and may be read as it
        is."""
        if not self.touched:
            return None
        canonical = self.canonical(path)
        root = "" if canonical == "/" else canonical
        if self.free(canonical):
            return None
        own = self.upper + root
        if (
            not _exists(own)
            and not any(gone.rpartition("/")[0] == root for gone in self.removed)
            and not self._hidden(root)
        ):
            return None
        place = self.place(canonical)
        if place is None:
            raise failed(errno.ENOENT, path)
        found = dict.fromkeys(posix.listdir(place))
        if place != canonical and not self._hidden(root) and _is_folder(canonical):
            found.update((name, None) for name in posix.listdir(canonical) if f"{root}/{name}" not in self.removed)
        return [name for name in found if place != canonical or f"{root}/{name}" not in self.removed]

    def _within(self, canonical: str, place: str) -> list[str]:
        """The names in a folder as the script sees it, of which the content is at `place`."""
        names = self.names(canonical)
        return posix.listdir(place) if names is None else names

    # Changing

    def writable(
        self,
        path: object,
        *,
        create: bool = True,
        keep: bool = False,
        exclusive: bool = False,
        dir_fd: int | None = None,
    ) -> str:
        """Where to write `path`: a file in the scratch folder, with the real content copied when `keep`.

        Raises the errors that the system would: no such folder, no permission, already there, is a folder.
        """
        canonical = self.canonical(path, not exclusive, dir_fd)
        if self.free(canonical):
            return canonical
        place = self.place(canonical)
        kind = _mode(place) if place is not None else None
        if kind is not None:
            if exclusive:
                raise failed(errno.EEXIST, path)
            if stat.S_ISDIR(kind):
                raise failed(errno.EISDIR, path)
            if place == canonical and (not stat.S_ISREG(kind) or not posix.access(place, os.W_OK)):
                raise failed(errno.EACCES, path)
            if keep:
                return self.copied(canonical, path)
        elif not create:
            raise failed(errno.ENOENT, path)
        self.parent(canonical, path)
        self._changed(canonical)
        return self.upper + canonical

    def parent(self, canonical: str, path: object) -> None:
        """Make the folder above a path in the scratch folder; it must be one in the script's view, and writable."""
        folder = canonical.rpartition("/")[0]
        place = self.place(folder or "/")
        kind = None if place is None else _mode(place)
        if kind is None:
            raise failed(errno.ENOENT, path)
        if not stat.S_ISDIR(kind):
            raise failed(errno.ENOTDIR, path)
        if place == (folder or "/") and not posix.access(place, os.W_OK):
            raise failed(errno.EACCES, path)
        self._make(folder)

    def _make(self, folder: str) -> None:
        if folder and not _exists(self.upper + folder):
            self._make(folder.rpartition("/")[0])
            posix.mkdir(self.upper + folder, 0o700)
        self.touched = True

    def copied(self, canonical: str, path: object) -> str:
        """The scratch copy of an existing path, made now where there is none yet (files, links, folders without their
        content)."""
        place = self.place(canonical)
        own = self.upper + canonical
        if place is None:
            raise failed(errno.ENOENT, path)
        if place != canonical:
            return place
        self.parent(canonical, path)
        state = posix.lstat(place)
        if stat.S_ISLNK(state.st_mode):
            posix.symlink(posix.readlink(place), own)
        elif stat.S_ISDIR(state.st_mode):
            posix.mkdir(own, 0o700)
        elif state.st_size > COPY_LIMIT:
            raise failed(errno.EFBIG, path)
        else:
            _copy(place, own)
            posix.chmod(own, stat.S_IMODE(state.st_mode) | 0o600)
        self._changed(canonical)
        return own

    def copied_tree(self, canonical: str, path: object) -> str:
        """As `copied`, with everything below a folder."""
        own = self.copied(canonical, path)
        mode = _mode(own)
        if mode is not None and stat.S_ISDIR(mode):
            for name in self._within(canonical, own):
                self.copied_tree(f"{canonical}/{name}", path)
        return own

    def folder(self, path: object, mode: int, dir_fd: int | None = None) -> None:
        """`os.mkdir`."""
        canonical = self.canonical(path, False, dir_fd)
        self.made.add(canonical)
        if self.free(canonical):
            return posix.mkdir(canonical, mode)
        if self.place(canonical) is not None and _exists(self.place(canonical)):
            raise failed(errno.EEXIST, path)
        self.parent(canonical, path)
        posix.mkdir(self.upper + canonical, 0o700)
        self._changed(canonical)

    def delete(self, path: object, *, folder: bool, dir_fd: int | None = None) -> None:
        """`os.remove` or, with `folder`, `os.rmdir`."""
        canonical = self.canonical(path, False, dir_fd)
        if self.free(canonical):
            return (posix.rmdir if folder else posix.unlink)(canonical)
        place = self.place(canonical)
        kind = None if place is None else _mode(place)
        if place is None or kind is None:
            raise failed(errno.ENOENT, path)
        if folder and not stat.S_ISDIR(kind):
            raise failed(errno.ENOTDIR, path)
        if not folder and stat.S_ISDIR(kind):
            raise failed(errno.EISDIR, path)
        if folder and self._within(canonical, place):
            raise failed(errno.ENOTEMPTY, path)
        if _exists(canonical) and not posix.access(canonical.rpartition("/")[0] or "/", os.W_OK):
            raise failed(errno.EACCES, path)
        if place != canonical:
            (posix.rmdir if folder else posix.unlink)(place)
        self._changed(canonical)
        if _exists(canonical):
            self.removed.add(canonical)

    def rename(
        self, source: object, target: object, source_fd: int | None = None, target_fd: int | None = None
    ) -> None:
        """`os.rename`."""
        old, new = self.canonical(source, False, source_fd), self.canonical(target, False, target_fd)
        place = self.place(old)
        if place is None or not _exists(place):
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), source, None, target)
        mine = place if self.free(old) else self.copied_tree(old, source)
        if self.free(new):
            own = new
        else:
            self.parent(new, target)
            there = self.place(new)
            kind = None if there is None else _mode(there)
            if kind is not None and stat.S_ISDIR(kind):
                if not stat.S_ISDIR(_mode(mine) or 0):
                    raise failed(errno.EISDIR, target)
                if there is not None and self._within(new, there):
                    raise failed(errno.ENOTEMPTY, target)
            own = self.upper + new
        posix.rename(mine, own)
        for path in (old, new):
            if not self.free(path):
                self._changed(path)
                if _exists(path):
                    self.removed.add(path)

    def link(self, source: object, target: object, symbolic: bool, dir_fd: int | None = None) -> None:
        """`os.symlink` or `os.link`; a hard link becomes a copy."""
        new = self.canonical(target, False, dir_fd)
        place = self.place(new)
        if place is not None and _exists(place):
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), source, None, target)
        if not self.free(new):
            self.parent(new, target)
        own = new if self.free(new) else self.upper + new
        if symbolic:
            posix.symlink(source, own)  # type: ignore[arg-type]
        else:
            content = self.place(self.canonical(source))
            if content is None:
                raise failed(errno.ENOENT, source)
            _copy(content, own)
        if not self.free(new):
            self._changed(new)

    def enter(self, path: object) -> None:
        """`os.chdir`."""
        canonical = self.canonical(path)
        place = self.place(canonical)
        if place is None:
            raise failed(errno.ENOENT, path)
        posix.chdir(place)
        self.cwd = canonical
        self.moved = place != canonical

    def _changed(self, canonical: str) -> None:
        self.touched = True
        self._folders.clear()
        self.tell(canonical)


def _mode(path: str) -> int | None:
    try:
        return posix.lstat(path).st_mode
    except OSError:
        return None


def _exists(path: str | None) -> bool:
    return path is not None and _mode(path) is not None


def _is_folder(path: str) -> bool:
    return stat.S_ISDIR(_mode(path) or 0)


def _copy(source: str, target: str) -> None:
    reading = posix.open(source, os.O_RDONLY | os.O_CLOEXEC)
    try:
        writing = posix.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            while block := posix.read(reading, 1 << 20):
                while block:
                    block = block[posix.write(writing, block) :]
        finally:
            posix.close(writing)
    finally:
        posix.close(reading)
