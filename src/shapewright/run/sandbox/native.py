"""Libraries whose C, C++ or Rust code opens files by itself: their paths are mapped before they are handed over.

Discovery is the table: a module's name and what to do once it is loaded.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from .overlay import Overlay


class Native:
    """The mapping of paths for foreign code."""

    def __init__(self, view: Overlay) -> None:
        self.view = view

    def reads(self, path: object) -> Any:
        """Where to read `path`, for what is a path."""
        return os.fspath(self.view.existing(path)) if isinstance(path, (str, os.PathLike)) else path

    def writes(self, path: object, keep: bool = False) -> Any:
        """Where to write `path`."""
        return self.view.writable(path, keep=keep) if isinstance(path, (str, os.PathLike)) else path

    def folder(self, path: object) -> Any:
        """Where to write the files of a folder."""
        if not isinstance(path, (str, os.PathLike)):
            return path
        os.makedirs(path, exist_ok=True)
        canonical = self.view.canonical(path)
        return canonical if self.view.free(canonical) else self.view.copied(canonical, path)

    def wrap(
        self,
        owner: object,
        name: str,
        how: Callable[[Any], Any],
        index: int = 0,
        keyword: str = "",
        everywhere: bool = False,
    ) -> None:
        """Map one argument of `owner.name`; with `everywhere`, also where other modules hold it by the same name (a
        slow search)."""
        original = getattr(owner, name, None)
        if original is None:
            return

        @functools.wraps(original, updated=())
        def call(*args: Any, **kwargs: Any) -> Any:
            if len(args) > index:
                args = (*args[:index], how(args[index]), *args[index + 1 :])
            elif keyword in kwargs:
                kwargs[keyword] = how(kwargs[keyword])
            return original(*args, **kwargs)

        setattr(owner, name, call)
        for module in list(sys.modules.values()) if everywhere else ():
            space = getattr(module, "__dict__", None)
            if type(space) is dict and space.get(name) is original:
                space[name] = call


def _torch(native: Native, torch: Any) -> None:
    native.wrap(torch._C, "PyTorchFileWriter", native.writes)
    native.wrap(torch._C, "PyTorchFileReader", native.reads)
    torch.UntypedStorage.from_file = staticmethod(_storage_file(native, torch.UntypedStorage.from_file))
    torch.from_file = _storage_file(native, torch.from_file)
    for kind in (torch.Tensor, torch.UntypedStorage):
        kind.share_memory_ = lambda self: self  # workers are threads here
    native.wrap(torch.jit, "save", native.writes, 1, "f")
    native.wrap(torch.jit, "load", native.reads, 0, "f")
    native.wrap(torch.jit._script.RecursiveScriptModule, "save", native.writes, 1, "f")


def _storage_file(native: Native, original: Callable[..., Any]) -> Callable[..., Any]:
    def from_file(filename: object, *args: Any, **kwargs: Any) -> Any:
        shared = args[0] if args else kwargs.get("shared", False)
        return original(native.writes(filename, True) if shared else native.reads(filename), *args, **kwargs)

    return from_file


def _safetensors(native: Native, module: ModuleType) -> None:
    rust = sys.modules.get("safetensors._safetensors_rust")
    if rust is None:
        return
    native.wrap(rust, "serialize_file", native.writes, 1, "filename", everywhere=True)
    native.wrap(rust, "safe_open", native.reads, 0, "filename", everywhere=True)
    module.serialize_file, module.safe_open = rust.serialize_file, rust.safe_open  # type: ignore[attr-defined]


def _sqlite(native: Native, module: object) -> None:
    def database(path: Any) -> Any:
        return (
            path
            if path in (":memory:", "", b":memory:") or (isinstance(path, str) and path.startswith("file:"))
            else native.writes(path, True)
        )

    native.wrap(module, "connect", database, 0, "database")


def _h5py(native: Native, module: ModuleType) -> None:
    original = module.File.__init__

    @functools.wraps(original)
    def begin(self: Any, name: Any, mode: str = "r", *args: Any, **kwargs: Any) -> None:
        name = native.reads(name) if mode == "r" else native.writes(name, keep=mode != "w")
        original(self, name, mode, *args, **kwargs)

    module.File.__init__ = begin


def _opencv(native: Native, module: object) -> None:
    for name in ("imread", "imreadmulti", "VideoCapture"):
        native.wrap(module, name, native.reads, 0, "filename")
    for name in ("imwrite", "VideoWriter"):
        native.wrap(module, name, native.writes, 0, "filename")


def _torchvision_io(native: Native, module: object) -> None:
    native.wrap(module, "write_file", native.writes, 0, "filename")
    native.wrap(module, "read_file", native.reads, 0, "path")


def _soundfile(native: Native, module: object) -> None:
    native.wrap(module, "write", native.writes, 0, "file")
    native.wrap(module, "read", native.reads, 0, "file")


def _tokenizer_base(native: Native, module: ModuleType) -> None:
    native.wrap(module.PreTrainedTokenizerBase, "save_pretrained", native.folder, 1, "save_directory")


def _tokenizers(native: Native, module: ModuleType) -> None:
    native.wrap(module.Tokenizer, "save", native.writes, 1, "path")
    native.wrap(module.Tokenizer, "from_file", native.reads, 0, "path")


def _arrow(native: Native, module: object) -> None:
    native.wrap(module, "write_table", native.writes, 1, "where")
    native.wrap(module, "read_table", native.reads, 0, "source")
    native.wrap(module, "ParquetWriter", native.writes, 0, "where")


TABLE: dict[str, Callable[[Native, Any], None]] = {
    "cv2": _opencv,
    "h5py": _h5py,
    "pyarrow.parquet": _arrow,
    "pyarrow.parquet.core": _arrow,
    "safetensors": _safetensors,
    "soundfile": _soundfile,
    "sqlite3": _sqlite,
    "tokenizers": _tokenizers,
    "torch": _torch,
    "torchvision.io.image": _torchvision_io,
    "transformers.tokenization_utils_base": _tokenizer_base,
}


class Finder(MetaPathFinder):
    """Applies the table to modules that are still to be imported."""

    def __init__(self, native: Native) -> None:
        self.native = native
        self._busy: set[str] = set()

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in TABLE or name in self._busy:
            return None
        self._busy.add(name)
        try:
            spec = next(
                filter(
                    None, (finder.find_spec(name, path, target) for finder in list(sys.meta_path) if finder is not self)
                ),
                None,
            )
        finally:
            self._busy.discard(name)
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            loader: Any = spec.loader
            execute = loader.exec_module

            def load(module: ModuleType) -> None:
                execute(module)
                TABLE[name](self.native, module)

            loader.exec_module = load
        return spec


class Written(MetaPathFinder):
    """Finds modules that the script has written itself: the import system looks at the real disk only."""

    def __init__(self, view: Overlay) -> None:
        self.view = view

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not self.view.touched:
            return None
        folders = [
            self.view.upper + self.view.canonical(entry or ".")
            for entry in (sys.path if path is None else path)
            if isinstance(entry, str)
        ]
        return PathFinder.find_spec(name, [folder for folder in folders if os.path.isdir(folder)], target)


def install(view: Overlay) -> None:
    """Map paths for the libraries that are loaded and those that will be."""
    native = Native(view)
    for name, apply in TABLE.items():
        if name in sys.modules:
            apply(native, sys.modules[name])
    sys.meta_path.insert(0, Finder(native))
    sys.meta_path.append(Written(view))
