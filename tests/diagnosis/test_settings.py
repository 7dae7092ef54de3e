"""pyproject.toml, memory sizes, the command line over both."""

import pytest

from shapewright.settings import Settings, parse_memory, read_settings


def test_the_nearest_pyproject_above_the_script_holds(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.shapewright]\nignore = ["SW3"]\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert read_settings(inner / "train.py").ignore == ("SW3",)
    (inner / "pyproject.toml").write_text(
        '[tool.shapewright]\nselect = ["SW2"]\nlang = "ja"\ntimeout = 5\nmemory = "2G"\nengine = "dry"\n'
    )
    assert read_settings(inner / "train.py") == Settings(
        select=("SW2",), lang="ja", timeout=5, memory=2 << 30, engine="dry"
    )


@pytest.mark.parametrize(
    "table",
    [
        "nonsense = 1",
        "ignore = 3",
        "timeout = 0",
        'timeout = "x"',
        'engine = "fast"',
        'memory = "much"',
        "strict = true",
        "x =",
    ],
)
def test_a_malformed_table_is_refused_with_a_sentence(tmp_path, table):
    (tmp_path / "pyproject.toml").write_text(f"[tool.shapewright]\n{table}\n")
    with pytest.raises(ValueError) as caught:
        read_settings(tmp_path / "train.py")
    assert len(str(caught.value)) > 20


@pytest.mark.parametrize(
    "text,size",
    [("4G", 4 << 30), ("512m", 512 << 20), ("2.5 GiB", int(2.5 * (1 << 30))), ("100000000", 10**8), (1 << 30, 1 << 30)],
)
def test_memory_sizes(text, size):
    assert parse_memory(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1G", "four", "4GG"])
def test_no_memory_size(text):
    with pytest.raises(ValueError, match="4G"):
        parse_memory(text)


@pytest.mark.parametrize("text", ["10", 7, "4k"])
def test_too_little_memory_is_a_slip(text):
    with pytest.raises(ValueError, match="at least 16M"):
        parse_memory(text)


@pytest.mark.parametrize(
    "text",
    [
        "[tool]\nshapewright = 3",
        '[tool.shapewright]\nlang = "xx"',
        '[tool.shapewright]\nmemory = "lots"',
        "tool = 3\n[x",
    ],
)
def test_what_is_wrong_with_the_file_names_it(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(ValueError, match="pyproject.toml"):
        read_settings(tmp_path / "train.py")


def test_what_is_given_beats_the_file():
    assert Settings(timeout=5).changed(timeout=None, engine="dry") == Settings(timeout=5, engine="dry")
