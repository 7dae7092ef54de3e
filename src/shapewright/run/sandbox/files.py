"""Puts the overlay in the place of the functions through which Python code reaches the disk: `open`, `os`, `shutil`,
`io.FileIO`."""

from __future__ import annotations

import builtins
import functools
import io
import os
import posix
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from typing import Any

from .overlay import Overlay, failed

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
SUPPORTS = ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids")
CAPTURED: list[tuple[dict[str, Any], str, str]] = []


def find_captured() -> None:
    """Note where loaded modules hold `open` or a function of `os` by a name of their own. Called before the fork; it
    takes a while."""
    CAPTURED.clear()
    names = {id(builtins.open): "open", id(io.FileIO): "FileIO"}
    names.update((id(getattr(os, name)), f"os.{name}") for name in (*READERS, *CHANGERS) if hasattr(os, name))
    for module in list(sys.modules.values()):
        name = getattr(module, "__name__", "")
        space = getattr(module, "__dict__", None)
        if (
            type(space) is not dict
            or name in ("posix", "_io", "builtins", "io", "os")
            or name.startswith((__package__, "importlib", "_frozen"))
        ):
            continue
        for key, value in list(space.items()):
            what = names.get(id(value))
            if what is not None:
                CAPTURED.append((space, key, what))


class Entry:
    """An `os.DirEntry` of the script's view."""

    def __init__(self, folder: Any, name: Any) -> None:
        self.name, self.path = name, os.path.join(folder, name)

    def __fspath__(self) -> Any:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return os.stat(self.path, follow_symlinks=follow_symlinks)

    def inode(self) -> int:
        return self.stat(follow_symlinks=False).st_ino

    def _is(self, kind: Callable[[int], bool], follow: bool) -> bool:
        try:
            return kind(self.stat(follow_symlinks=follow).st_mode)
        except FileNotFoundError:
            return False

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return self._is(stat.S_ISDIR, follow_symlinks)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return self._is(stat.S_ISREG, follow_symlinks)

    def is_symlink(self) -> bool:
        return self._is(stat.S_ISLNK, False)

    def is_junction(self) -> bool:
        return False


class Listing:
    """What `os.scandir` returns."""

    def __init__(self, folder: object, names: list[Any]) -> None:
        self._entries: Iterator[Entry] = iter([Entry(folder, name) for name in names])

    def __iter__(self) -> Listing:
        return self

    def __next__(self) -> Entry:
        return next(self._entries)

    def __enter__(self) -> Listing:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._entries = iter(())


_views: list[Overlay] = []


def made_by_script(folder: str) -> bool:
    """Whether the script that runs in this process made a folder itself, or tried to."""
    return any(view.canonical(folder) in view.made for view in _views)


def install(view: Overlay) -> None:
    """Replace the functions in this process, for good."""
    _views.append(view)
    replaced: dict[str, Any] = {"open": _open(view), "FileIO": _file_io(view)}
    for name, follow in READERS.items():
        if hasattr(posix, name):
            replaced[f"os.{name}"] = _reader(view, getattr(posix, name), follow)
    for name, make in CHANGERS.items():
        if hasattr(posix, name):
            replaced[f"os.{name}"] = functools.wraps(getattr(posix, name))(make(view, getattr(posix, name)))
    for key, function in replaced.items():
        if key.startswith("os."):
            original = getattr(os, key[3:])
            setattr(os, key[3:], function)
            for kind in SUPPORTS:
                if original in getattr(os, kind, ()):
                    getattr(os, kind).add(function)
    for space, key, what in CAPTURED:
        if what in replaced:
            space[key] = replaced[what]
    builtins.open = io.open = replaced["open"]
    io.FileIO = replaced["FileIO"]  # type: ignore[misc]
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    source = sys.modules.get("numpy.lib._datasource")
    if source is not None:
        source._file_openers._file_openers[None] = replaced["open"]


def _open(view: Overlay) -> Callable[..., Any]:
    original = io.open

    @functools.wraps(original)
    def open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if not isinstance(file, int) and isinstance(mode, str):
            if any(letter in mode for letter in "wax+"):
                file = view.writable(file, create="r" not in mode, keep="w" not in mode, exclusive="x" in mode)
            elif "opener" not in kwargs:
                file = view.existing(file)
        return original(file, mode, *args, **kwargs)

    return open


def _file_io(view: Overlay) -> type:
    class FileIO(io.FileIO):
        def __init__(self, file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> None:
            if not isinstance(file, int):
                writes = any(letter in mode for letter in "wax+")
                file = (
                    view.writable(file, create="r" not in mode, keep="w" not in mode, exclusive="x" in mode)
                    if writes
                    else view.existing(file)
                )
            super().__init__(file, mode, *args, **kwargs)

    return FileIO


def _reader(view: Overlay, original: Callable[..., Any], follow: bool) -> Callable[..., Any]:
    @functools.wraps(original)
    def read(path: object, *args: Any, **kwargs: Any) -> Any:
        if isinstance(path, int):
            return original(path, *args, **kwargs)
        place = view.existing(path, follow and kwargs.get("follow_symlinks", True), kwargs.get("dir_fd"))
        if place is not path:
            kwargs.pop("dir_fd", None)
        try:
            return original(place, *args, **kwargs)
        except OSError as error:
            if place is not path:
                error.filename = path
            raise

    return read


def _os_open(view: Overlay, original: Callable[..., Any]) -> Callable[..., Any]:
    def open(path: object, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & WRITING and flags & getattr(os, "O_TMPFILE", 0) != getattr(os, "O_TMPFILE", -1):
            creates = bool(flags & os.O_CREAT)
            place = view.writable(
                path,
                create=creates,
                keep=not flags & os.O_TRUNC,
                exclusive=creates and bool(flags & os.O_EXCL),
                dir_fd=dir_fd,
            )
            return original(place, flags, mode)
        place = view.existing(path, dir_fd=dir_fd)
        return original(place, flags, mode, **({"dir_fd": dir_fd} if place is path and dir_fd is not None else {}))

    return open


def _listdir(view: Overlay, original: Callable[..., Any]) -> Callable[..., Any]:
    def listdir(path: Any = ".") -> list[Any]:
        path = "." if path is None else path
        if isinstance(path, int):
            return original(path)
        names = view.names(path)
        if names is None:
            return original(view.existing(path))
        return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names

    return listdir


def _scandir(view: Overlay, original: Callable[..., Any]) -> Callable[..., Any]:
    def scandir(path: Any = ".") -> Any:
        path = "." if path is None else path
        if isinstance(path, int):
            return original(path)
        names = view.names(path)
        place = view.existing(path)
        if names is None:
            if place is path:
                return original(path)
            names = posix.listdir(place)
        elif not stat.S_ISDIR(os.stat(path).st_mode):
            raise failed(20, path)
        folder = os.fspath(path)
        return Listing(folder, [os.fsencode(name) for name in names] if isinstance(folder, bytes) else names)

    return scandir


def _mkdir(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda path, mode=0o777, *, dir_fd=None: view.folder(path, mode, dir_fd)


def _unlink(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda path, *, dir_fd=None: view.delete(path, folder=False, dir_fd=dir_fd)


def _rmdir(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda path, *, dir_fd=None: view.delete(path, folder=True, dir_fd=dir_fd)


def _rename(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda src, dst, *, src_dir_fd=None, dst_dir_fd=None: view.rename(src, dst, src_dir_fd, dst_dir_fd)


def _symlink(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda src, dst, target_is_directory=False, *, dir_fd=None: view.link(src, dst, True, dir_fd)


def _link(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda src, dst, *, src_dir_fd=None, dst_dir_fd=None, follow_symlinks=True: view.link(
        src, dst, False, dst_dir_fd
    )


def _property(view: Overlay, original: Callable[..., Any]) -> Callable[..., Any]:
    """Modes, owners, times and extended attributes: changed on a copy."""

    def change(path: object, *args: Any, **kwargs: Any) -> Any:
        if isinstance(path, int):
            target = posix.readlink(f"/proc/self/fd/{path}")
            return original(path, *args, **kwargs) if view.free(target) else None
        canonical = view.canonical(path, kwargs.get("follow_symlinks", True), kwargs.pop("dir_fd", None))
        own = canonical if view.free(canonical) else view.copied(canonical, path)
        return original(own, *args, **kwargs)

    return change


def _truncate(view: Overlay, original: Callable[..., Any]) -> Callable[..., Any]:
    return lambda path, length: original(
        path if isinstance(path, int) else view.writable(path, create=False, keep=True), length
    )


def _special(view: Overlay, original: Callable[..., Any]) -> Callable[..., Any]:
    def make(path: object, *args: Any, dir_fd: int | None = None, **kwargs: Any) -> Any:
        return original(view.writable(path, exclusive=True, dir_fd=dir_fd), *args, **kwargs)

    return make


def _chdir(view: Overlay, original: Callable[..., Any]) -> Callable[..., Any]:
    def chdir(path: object) -> None:
        view.enter(posix.readlink(f"/proc/self/fd/{path}") if isinstance(path, int) else path)

    return chdir


def _getcwd(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda: view.cwd


def _getcwdb(view: Overlay, _: Callable[..., Any]) -> Callable[..., Any]:
    return lambda: os.fsencode(view.cwd)


READERS = {
    "stat": True,
    "lstat": False,
    "access": True,
    "readlink": False,
    "statvfs": True,
    "getxattr": True,
    "listxattr": True,
    "pathconf": True,
}
CHANGERS: dict[str, Callable[[Overlay, Callable[..., Any]], Callable[..., Any]]] = {
    "open": _os_open,
    "listdir": _listdir,
    "scandir": _scandir,
    "mkdir": _mkdir,
    "unlink": _unlink,
    "remove": _unlink,
    "rmdir": _rmdir,
    "rename": _rename,
    "replace": _rename,
    "symlink": _symlink,
    "link": _link,
    "chmod": _property,
    "chown": _property,
    "utime": _property,
    "fchmod": _property,
    "fchown": _property,
    "lchown": _property,
    "setxattr": _property,
    "removexattr": _property,
    "truncate": _truncate,
    "mkfifo": _special,
    "mknod": _special,
    "chdir": _chdir,
    "fchdir": _chdir,
    "getcwd": _getcwd,
    "getcwdb": _getcwdb,
}
