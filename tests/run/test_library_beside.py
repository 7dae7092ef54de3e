"""A package of very many files beside a script is a library: its repository's examples are what is checked."""

import os
import subprocess
import sys

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


def test_a_path_that_the_script_adds_is_as_seen_from_its_folder_too(tmp_path, resident):
    for folder in ("ticks", "examples"):
        (tmp_path / folder).mkdir()
    (tmp_path / "ticks" / "__init__.py").touch()  # the package, which holds no `count`
    (tmp_path / "ticks" / "ticks.py").write_text("def count(x):\n    return len(x)\n")
    script = tmp_path / "examples" / "train.py"
    script.write_text(
        "import sys\nsys.path.append('../ticks')\nimport torch\nimport ticks\nprint(ticks.count(torch.ones(4, 2)))\n"
    )
    trace, _ = examine(os.fspath(script), resident=resident, repair=False, cwd=os.fspath(tmp_path))
    told = [item.fields for item in trace.assumptions if item.kind == "import-path"]
    assert trace.outcome.state == "complete", trace.outcome
    assert [os.path.basename(one["folder"]) for one in told] == ["ticks"]


def test_of_many_files_those_in_which_nothing_happened_are_not_read(project, resident):
    folder = project(LIBRARY - 10)
    for number in range(LIBRARY - 20):
        (folder / "package" / "inner" / f"part_{number}.py").write_text("import torch\n")
    (folder / "package" / "inner" / "layers.py").write_text("def double(x):\n    return x + x\n")
    script = folder / "examples" / "train.py"
    names = "".join(f"import package.inner.part_{number}\n" for number in range(LIBRARY - 20))
    script.write_text(
        f"import sys\nsys.path.insert(0, '..')\nimport torch\n{names}from package.inner.layers import double\n"
        "print(double(torch.ones(4, 2)).shape)\n"
    )
    trace, _ = examine(os.fspath(script), resident=resident, repair=False, cwd=os.fspath(folder / "examples"))
    assert {os.path.basename(file) for file in trace.sources} == {"train.py", "layers.py"}


def test_a_folder_that_packages_were_installed_into_is_no_code_of_the_user(tmp_path):
    """`pip install --target` gives it any name."""
    packages = tmp_path / "bare"
    (packages / "thing-1.0.dist-info").mkdir(parents=True)
    (packages / "thing.py").touch()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "train.py").touch()
    asked = (
        "from shapewright.run.script.sources import UserSources; from shapewright.run.stand_ins import context; "
        f"of = UserSources({os.fspath(tmp_path / 'train.py')!r}); file = {os.fspath(packages / 'thing.py')!r}; "
        "print(of.is_user(file), context.is_user_file(file), of.is_user(of.script_path))"
    )
    path = os.pathsep.join([os.fspath(packages), *filter(None, sys.path)])
    told = subprocess.run(
        [sys.executable, "-c", asked], env={**os.environ, "PYTHONPATH": path}, cwd="/", capture_output=True, text=True
    )
    assert told.stdout.split() == ["False", "False", "True"], told.stderr
