"""The house: what may import what, and how long a file may be."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shapewright

ROOT = Path(shapewright.__file__).parent
FILES = sorted(path for path in ROOT.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules of ours that a file imports when it is imported itself, as dotted names below `shapewright`."""
    package = ["shapewright", *path.relative_to(ROOT).parent.parts]
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            target = ".".join([*base, *([node.module] if node.module else [])])
            found |= {f"{target}.{alias.name}" for alias in node.names} | {target}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("shapewright.")}


def module_name(path: Path) -> str:
    parts = ["shapewright", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path): path for path in FILES}


@functools.cache
def imports() -> dict[str, set[str]]:
    return {name: {other for other in imported(path) if other in NAMES} for name, path in NAMES.items()}


def test_a_module_is_short_and_its_lines_too():
    for path in FILES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 400, path
        assert max(map(len, lines), default=0) <= 120, path


def test_no_two_modules_import_each_other():
    pairs = {
        tuple(sorted((one, other)))
        for one, others in imports().items()
        for other in others - {one}
        if one in imports()[other]
    }
    assert {pair for pair in pairs if not pair[1].startswith(pair[0] + ".")} == set()


@pytest.mark.parametrize(
    ("room", "strangers"),
    [
        ("trace", ("report", "rules", "run", "repair", "probes", "graph", "diagnosis", "commands")),
        ("ops", ("report", "rules", "run", "repair", "probes", "diagnosis", "commands")),
        ("graph", ("report", "rules", "run", "repair", "diagnosis", "commands")),
        ("rules", ("report", "run", "repair", "diagnosis", "commands")),
        ("run", ("rules", "report", "repair", "diagnosis", "commands")),
    ],
)
def test_the_way_of_the_data_has_one_direction(room, strangers):
    for name, others in imports().items():
        if name.split(".")[1:2] == [room]:
            assert not {other for other in others if other.split(".")[1] in strangers}, name


@pytest.mark.parametrize(
    ("mutation", "tool", "code"),
    [
        ("import json\n", ["ruff", "check"], "F401"),
        ('def wide() -> int:\n    return "wide"\n', ["mypy"], "return-value"),
    ],
)
def test_lint_catches_an_unused_import_and_a_wrong_type(tmp_path, mutation, tool, code):
    settings = ROOT.parent.parent / "pyproject.toml"
    broken = tmp_path / "broken.py"
    broken.write_text(f'"""A mutation."""\n\n{mutation}', encoding="utf-8")
    option = "--config" if tool[0] == "ruff" else "--config-file"
    command = [sys.executable, "-m", *tool, option, str(settings), str(broken)]
    told = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert told.returncode == 1 and code in told.stdout


def test_a_check_of_scripts_alone_imports_neither_a_parser_of_options_nor_a_console():
    said = (
        "import sys; from shapewright.commands.check import parsed; parsed(['a.py', '--', '--epochs']); "
        "print(*sorted({'tyro', 'rich.console', 'torch', 'libcst'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


def test_what_a_check_imports_declares_its_data_by_our_own_decorator():
    for path in FILES:
        if path.relative_to(ROOT).parts[0] not in ("commands", "recipes", "dataclass.py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"^from dataclasses import .*\bdataclass\b|^@dataclasses\.dataclass", text, re.M), path
