"""A package of very many files beside a script is a library: its repository's examples are what is checked."""

import os

import pytest

from shapewright.checking import examine
from shapewright.run.script.sources import LIBRARY, UserSources


@pytest.fixture
def project(tmp_path):
    """A function that lays out a repository with a package of so many files and an example beside it."""

    def laid_out(files):
        for folder in ("package/inner", "examples"):
            (tmp_path / folder).mkdir(parents=True)
        for name in ("pyproject.toml", "package/__init__.py", "package/inner/__init__.py", "examples/train.py"):
            (tmp_path / name).touch()
        for number in range(files - 2):
            (tmp_path / "package" / "inner" / f"part_{number}.py").touch()
        return tmp_path

    return laid_out


@pytest.mark.parametrize("files, users", [(LIBRARY - 1, True), (LIBRARY, False)])
def test_a_package_of_many_files_is_a_library(project, files, users):
    folder = project(files)
    sources = UserSources(os.fspath(folder / "examples" / "train.py"))
    assert sources.is_user(os.fspath(folder / "package" / "inner" / "part_1.py")) is users
    assert sources.is_user(os.fspath(folder / "examples" / "train.py"))


def test_to_a_script_inside_it_the_package_is_its_own(project):
    folder = project(LIBRARY)
    sources = UserSources(os.fspath(folder / "package" / "inner" / "part_0.py"))
    assert sources.is_user(os.fspath(folder / "package" / "inner" / "part_1.py"))


def test_the_page_tells_that_the_package_was_not_checked(project, resident):
    folder = project(LIBRARY)
    (folder / "package" / "inner" / "layers.py").write_text("from torch.nn import Linear\n")
    script = folder / "examples" / "train.py"
    script.write_text(
        "import sys\nsys.path.insert(0, '..')\nimport torch\nfrom package.inner.layers import Linear\n"
        "print(Linear(2, 3)(torch.ones(4, 2)).shape)\n"
    )
    trace, _ = examine(os.fspath(script), resident=resident, repair=False, cwd=os.fspath(folder / "examples"))
    told = [item.fields for item in trace.assumptions if item.kind == "package-as-library"]
    assert trace.outcome.state == "complete" and told == [{"package": "package"}]
