"""Public data sets with known checksums, fetched once into a cache folder. Never needed: every recipe has a default
that is offline."""

from __future__ import annotations

import hashlib
import os
import urllib.error
import urllib.request
from pathlib import Path

from ..loop.checkpoint import replace
from ..settings import UsageError

MIRRORS = {
    "mnist": "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "fashion-mnist": "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
}
MD5 = {
    "mnist": {
        "train-images-idx3-ubyte.gz": "f68b3c2dcbeaaa9fbdd348bbdeb94873",
        "train-labels-idx1-ubyte.gz": "d53e105ee54ea40749a09fcbcd1e9432",
        "t10k-images-idx3-ubyte.gz": "9fb629c4189551a2d022fa330f9573f3",
        "t10k-labels-idx1-ubyte.gz": "ec29112dd5afa0611ce80d1b7f02629c",
    },
    "fashion-mnist": {
        "train-images-idx3-ubyte.gz": "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
        "train-labels-idx1-ubyte.gz": "25c81989df183df01b3e8a0aad5dffbe",
        "t10k-images-idx3-ubyte.gz": "bef4ecab320f06d8554ea6380940ec79",
        "t10k-labels-idx1-ubyte.gz": "bb300cfdad3c16e7a12a480ee83cd310",
    },
}
"""As published by the data sets' authors and repeated in torchvision's source."""


def cache() -> Path:
    """Where downloads are kept: `SHAPEWRIGHT_CACHE`, or a folder in the user's cache."""
    return Path(
        os.environ.get("SHAPEWRIGHT_CACHE")
        or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "shapewright"
    )


def fetch(name: str, timeout: float = 20.0) -> Path:
    """The folder with the four files of a public set, downloaded where they are not there. Raises `UsageError`."""
    folder = cache() / name
    for file, checksum in MD5[name].items():
        path = folder / file
        if path.exists() and hashlib.md5(path.read_bytes()).hexdigest() == checksum:
            continue
        try:
            with urllib.request.urlopen(MIRRORS[name] + file, timeout=timeout) as answer:
                content = answer.read()
        except (urllib.error.URLError, OSError) as error:
            raise UsageError(
                f"{name} is not in {folder} and cannot be downloaded ({error}); put its four files there, or leave "
                f"--data out"
            ) from error
        found = hashlib.md5(content).hexdigest()
        if found != checksum:
            raise UsageError(f"{MIRRORS[name]}{file}: checksum {found}, expected {checksum}; nothing was kept")
        replace(path, content)
    return folder
