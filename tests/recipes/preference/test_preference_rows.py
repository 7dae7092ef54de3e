"""Every usual form of pairs is read, and every bad row is told with its line."""

import gzip
import json

import pytest

from shapewright.recipes.backbone.codec import plain_chat
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.rows import Complaints, Pair, read_pairs, split_by_prompt
from shapewright.recipes.preference.sources import SourceError, read_rows


def read(row):
    complaints = Complaints()
    pairs = read_pairs([(1, row)], plain_chat, complaints)
    return pairs[0] if pairs else complaints.text()


def turns(*contents):
    return [{"role": "user" if number % 2 == 0 else "assistant", "content": content} for number, content in enumerate(contents)]


@pytest.mark.parametrize(
    "row, expected",
    [
        ({"prompt": "Q: ", "chosen": "good", "rejected": "bad"}, Pair("Q: ", "good", "bad", None, 1)),
        ({"prompt": "Q: ", "preferred": "good", "less_preferred": "bad"}, Pair("Q: ", "good", "bad", None, 1)),
        (
            ("Write a story about a cat.", "Once upon a time", "A cat story. The end."),
            Pair("Write a story about a cat.", "Once upon a time", "A cat story. The end.", None, 1),
        ),
        ({"prompt": "Q", "chosen": "Q good", "rejected": "Q bad"}, Pair("Q", " good", " bad", None, 1)),
        ({"prompt": "Q", "chosen": "a", "rejected": "b", "margin": 2}, Pair("Q", "a", "b", 2.0, 1)),
        (
            {"chosen": "\n\nHuman: hi\n\nAssistant: yes", "rejected": "\n\nHuman: hi\n\nAssistant: no"},
            Pair("\n\nHuman: hi\n\nAssistant:", " yes", " no", None, 1),
        ),
        ({"chosen": "the same start is fine", "rejected": "the same start is foul"}, Pair("the same start is ", "fine", "foul", None, 1)),
        (
            {"prompt": turns("hi"), "chosen": turns("x", "good")[1:], "rejected": "bad"},
            Pair("\n\nUser: hi\n\nAssistant:", " good", " bad", None, 1),
        ),
        (
            {"chosen": turns("hi", "good"), "rejected": turns("hi", "bad")},
            Pair("\n\nUser: hi\n\nAssistant:", " good", " bad", None, 1),
        ),
        (
            {"prompt": "hi", "chosen": turns("hi", "good"), "rejected": turns("hi", "bad")},
            Pair("\n\nUser: hi\n\nAssistant:", " good", " bad", None, 1),
        ),
    ],
)
def test_forms(row, expected):
    assert read(row) == expected


@pytest.mark.parametrize(
    "row, reason",
    [
        ({"prompt": "Q", "chosen": "", "rejected": "bad"}, "the field chosen is missing|chosen answer is empty"),
        ({"prompt": "Q", "chosen": "good", "rejected": "  "}, "rejected answer is empty"),
        ({"prompt": "Q", "chosen": "same", "rejected": "same"}, "identical"),
        ({"prompt": "Q", "chosen": "good"}, "rejected is missing"),
        ({"prompt": "Q", "chosen": 3, "rejected": "bad"}, "chosen is int, not text"),
        ({"prompt": "Q", "chosen": "a", "rejected": "b", "margin": "much"}, "margin is str"),
        ("just text", "must be an object"),
        (ValueError("not JSON"), "not JSON"),
    ],
)
def test_bad_rows_are_left_out_with_a_reason(row, reason):
    import re

    told = read(row)
    assert isinstance(told, str) and re.search(reason, told) and "1 row (line 1)" in told


def test_a_jsonl_file_with_bad_lines(tmp_path):
    path = tmp_path / "pairs.jsonl.gz"
    good = json.dumps({"prompt": "Q", "chosen": "good", "rejected": "bad"})
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join([good, "{broken", "", json.dumps({"chosen": "x", "rejected": "x"}), good]))
    complaints = Complaints()
    pairs = read_pairs(read_rows(str(path)), plain_chat, complaints)
    assert [pair.line for pair in pairs] == [1, 5]
    assert {line for lines in complaints.lines.values() for line in lines} == {2, 4}
    assert complaints.count == 2


def test_csv_json_and_parquet_give_the_same_pairs(tmp_path):
    rows = [
        {"prompt": "Q, one", "chosen": "good\nlines", "rejected": "bad", "margin": 1.5},
        {"prompt": "Q", "chosen": "a", "rejected": "b", "margin": None},
    ]
    (tmp_path / "p.json").write_text(json.dumps(rows))
    (tmp_path / "p.csv").write_text('prompt,chosen,rejected,margin\n"Q, one","good\nlines",bad,1.5\nQ,a,b,\n')
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "p.parquet")
    found = []
    for kind in ("json", "csv", "parquet"):
        pairs = read_pairs(read_rows(str(tmp_path / f"p.{kind}")), plain_chat, Complaints())
        found.append([(pair.prompt, pair.chosen, pair.rejected, pair.margin) for pair in pairs])
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 2


@pytest.mark.parametrize(
    "name, content, reason",
    [
        ("a.jsonl", None, "no file"),
        ("a.txt", "x", "neither"),
        ("a.parquet", "x", "not a Parquet"),
        ("a.json", "{", "not JSON"),
        ("a.json", '{"a": 1}', "not a list"),
    ],
)
def test_unreadable_sources_are_told(tmp_path, name, content, reason):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(SourceError, match=reason):
        list(read_rows(str(tmp_path / name)))


def test_split_by_prompt_never_shares_a_prompt():
    pairs = read_pairs(enumerate(generated.rows(300), 1), plain_chat, Complaints())
    train, test = split_by_prompt(pairs, 0.2, seed=3)
    assert len(train) + len(test) == 300 and 50 <= len(test) <= 75
    assert not {pair.prompt for pair in train} & {pair.prompt for pair in test}
    assert split_by_prompt(pairs, 0.2, seed=3) == (train, test)


def test_generated_answers_cannot_be_told_apart_by_length():
    rows = generated.rows(1000)
    longer = sum(len(row["chosen"]) > len(row["rejected"]) for row in rows) / len(rows)
    assert 0.3 < longer < 0.7
    assert rows == generated.rows(1000) and rows != generated.rows(1000, seed=1)
