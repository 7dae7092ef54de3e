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
    return [
        {"role": "user" if number % 2 == 0 else "assistant", "content": content}
        for number, content in enumerate(contents)
    ]


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
        (
            {"chosen": "the same start is fine", "rejected": "the same start is foul"},
            Pair("the same start is ", "fine", "foul", None, 1),
        ),
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
        ({"prompt": "Q", "chosen": "a", "rejected": "b", "margin": float("inf")}, "no finite number"),
        ({"prompt": "Q", "chosen": "a", "rejected": chr(0xD800)}, "no encoding"),
        ({"chosen": turns("hi", "same"), "rejected": turns("hi", "same")}, "identical"),
        ({"chosen": turns("hi", " "), "rejected": turns("hi", "bad")}, "chosen answer is empty"),
        (
            {"prompt": [{"role": 3, "content": "hi"}], "chosen": "a", "rejected": "b"},
            "prompt is a list, but not of chat messages",
        ),
        (
            {"prompt": [{"role": "user", "content": [{"type": "text"}]}], "chosen": "a", "rejected": "b"},
            "not of chat messages",
        ),
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


def test_a_template_that_refuses_a_dialogue_leaves_the_row_out():
    def chat(messages, asks=False):
        raise ValueError("the chat template refuses it: unknown role")

    complaints = Complaints()
    assert read_pairs([(6, {"chosen": turns("hi", "a"), "rejected": turns("hi", "b")})], chat, complaints) == []
    assert complaints.lines == {"left out: the chat template refuses it: unknown role": [6]}


def test_answers_of_several_turns_are_divided_where_they_part():
    long = turns("hi", "a", "more", "good")
    assert read({"chosen": long, "rejected": long[:3] + turns("", "bad")[1:]}).chosen == " good"
    assert read({"chosen": long, "rejected": turns("hi", "b")}).prompt == "\n\nUser: hi\n\nAssistant:"


def test_a_line_in_another_encoding_costs_that_line_only(tmp_path):
    good = json.dumps({"prompt": "Q", "chosen": "good\u2028", "rejected": "bad"}, ensure_ascii=False).encode()
    (tmp_path / "p.jsonl").write_bytes(
        b"\xef\xbb\xbf" + b"\n".join([good, '{"prompt": "café"}'.encode("latin-1"), b"[" * 100_000, good])
    )
    complaints = Complaints()
    pairs = read_pairs(read_rows(str(tmp_path / "p.jsonl")), plain_chat, complaints)
    assert [pair.line for pair in pairs] == [1, 4] and complaints.count == 2
    assert complaints.lines["left out: not UTF-8 text (invalid continuation byte)"] == [2]


def test_csv_rows_are_told_by_the_line_they_begin_on_and_never_cut(tmp_path):
    """A comma without quotes would cut the answer behind it: such a row has more fields than the header."""
    long = "x" * 200_000
    content = f'prompt,chosen,rejected\nQ,"two\nlines",b\n\nQ,{long},b\nQ,a, with a comma,b\nQ,a\nQ,c,d\n'
    (tmp_path / "p.csv").write_text(content, encoding="utf-8-sig")
    complaints = Complaints()
    pairs = read_pairs(read_rows(str(tmp_path / "p.csv")), plain_chat, complaints)
    assert [pair.line for pair in pairs] == [2, 5, 8] and pairs[1].chosen == long
    assert list(complaints.lines.values()) == [[6], [7]] and "4 fields, not the header's 3" in complaints.text()


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
        ("a.json", b'["caf\xe9"]', "cannot be read"),
        ("a.csv", b"prompt,chosen,rejected\ncaf\xe9,a,b\n", "cannot be read"),
        ("a.jsonl.gz", b"no gzip", "cannot be read"),
    ],
)
def test_unreadable_sources_are_told(tmp_path, name, content, reason):
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SourceError, match=reason):
        list(read_rows(str(tmp_path / name)))


def test_a_folder_and_a_torn_parquet_file_are_told(tmp_path):
    with pytest.raises(SourceError, match="is a folder"):
        read_rows(str(tmp_path))
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    path = tmp_path / "p.parquet"
    parquet.write_table(
        pyarrow.Table.from_pylist([{"prompt": f"{number} " * 50} for number in range(500)]), path, compression="gzip"
    )
    content = path.read_bytes()
    path.write_bytes(content[:200] + bytes(1000) + content[1200:])
    with pytest.raises(SourceError, match="cannot be read beyond row 0"):
        list(read_rows(str(path)))


def test_pairs_to_judge_by_lose_those_whose_prompt_is_trained_on(tmp_path):
    from shapewright.recipes.backbone.codec import Codec
    from shapewright.recipes.preference.corpus import encode_corpus

    rows = [{"prompt": prompt, "chosen": "good", "rejected": "bad"} for prompt in ("seen", "new")]
    (tmp_path / "test.jsonl").write_text("\n".join(map(json.dumps, rows)))
    complaints, codec = Complaints(), Codec.train(["seen new good bad"], 300)
    options = {"held_out": 0.5, "seed": 0, "overlong": "trim", "test_data": str(tmp_path / "test.jsonl")}
    corpus = encode_corpus([Pair("seen", "a", "b"), Pair("also", "a", "b")], "here", codec, 60, complaints, **options)
    assert [pair.prompt for pair in corpus.test_pairs] == ["new"] and len(corpus.train) == 2
    assert complaints.lines == {"left out of the test: its prompt is trained on": [1]}


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


SCHEMA = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}


def test_tools_are_written_for_both_answers():
    """TRL's form: schemas beside the dialogue (as JSON text in a typed column), a turn that only calls a function."""
    call = {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "search", "arguments": {}}}]}
    row = {"chosen": [*turns("find it"), call], "rejected": turns("find it", "no"), "tools": json.dumps([SCHEMA])}
    pair = read(row)
    assert pair.prompt == f"\n\nTools: {json.dumps([SCHEMA])}\n\nUser: find it\n\nAssistant:"
    assert '"name": "search"' in pair.chosen and pair.rejected == " no"
    assert "tools are no JSON" in read({**row, "tools": "{"}) and "not a list" in read({**row, "tools": {"a": 1}})
    assert read({**row, "tools": None}).prompt == "\n\nUser: find it\n\nAssistant:"


def test_tools_go_through_the_tokenizers_own_template():
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models

    from shapewright.recipes.backbone.codec import Codec

    core = Tokenizer(models.WordLevel({"x": 0, "</s>": 1, "<p>": 2}, unk_token="x"))
    whole = transformers.PreTrainedTokenizerFast(tokenizer_object=core, eos_token="</s>", pad_token="<p>")
    whole.chat_template = (
        "{% if tools %}[{{ tools[0].function.name }}]{% endif %}{% for m in messages %}{{ m.content }};{% endfor %}"
    )
    codec = Codec(core, 1, 2, whole=whole)
    pairs = read_pairs(
        [(1, {"chosen": turns("q", "a"), "rejected": turns("q", "b"), "tools": [SCHEMA]})], codec.chat, Complaints()
    )
    assert (pairs[0].prompt, pairs[0].chosen, pairs[0].rejected) == ("[search]q;", "a;", "b;")


@pytest.mark.parametrize(
    "row, word",
    [
        ({"prompt": "Q", "completion": "A", "label": True}, "unpaired preferences"),
        ({"prompt": "Q", "completions": ["A"], "labels": [True]}, "stepwise"),
        ({"prompt": "Q", "completion": "A"}, "prompts with one answer each"),
        ({"messages": turns("hi", "a")}, "dialogues"),
        ({"prompt": "Q"}, "prompts without answers"),
        ({"text": "a"}, "texts"),
    ],
)
def test_forms_without_pairs_are_refused_in_a_sentence(tmp_path, row, word):
    from shapewright.recipes.preference.corpus import raw_pairs
    from shapewright.recipes.settings import UsageError

    (tmp_path / "p.jsonl").write_text("\n".join([json.dumps(row)] * 3))
    with pytest.raises(UsageError, match=f"holds no pairs: its rows .* are {word}.* chosen and rejected") as raised:
        raw_pairs(str(tmp_path / "p.jsonl"), None, Complaints())
    assert "\n" not in str(raised.value)


def test_reading_begins_at_a_row_in_every_format(tmp_path, monkeypatch):
    rows = [{"prompt": f"{number}", "chosen": "a", "rejected": "b"} for number in range(7)]
    (tmp_path / "p.jsonl").write_text("\n\n".join(map(json.dumps, rows)))
    (tmp_path / "p.json").write_text(json.dumps(rows))
    (tmp_path / "p.csv").write_text("prompt,chosen,rejected\n" + "".join(f"{number},a,b\n" for number in range(7)))
    kinds = ["jsonl", "json", "csv"]
    try:
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "p.parquet", row_group_size=3)
        kinds.append("parquet")
    except ModuleNotFoundError:
        pass
    for kind in kinds:
        whole = list(read_rows(str(tmp_path / f"p.{kind}")))
        assert [row["prompt"] for _, row in whole] == [str(number) for number in range(7)]
        for start in (0, 2, 3, 5, 7):
            assert list(read_rows(str(tmp_path / f"p.{kind}"), start)) == whole[start:], (kind, start)


def test_a_data_set_of_the_hub_is_streamed_from_a_row(monkeypatch):
    """The library's own stream stands in for the hub's; what was asked of it is noted."""
    datasets = pytest.importorskip("datasets")
    asked = []

    def load_dataset(*where, **how):
        asked.append((where, how))
        return datasets.IterableDataset.from_generator(lambda: ({"prompt": str(number)} for number in range(5)))

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    assert list(read_rows("owner/name:main:test", 3, streamed=True)) == [(4, {"prompt": "3"}), (5, {"prompt": "4"})]
    assert asked == [(("owner/name", "main"), {"split": "test", "streaming": True})]
    list(read_rows("owner/name"))
    assert asked[1] == (("owner/name", None), {"split": "train", "streaming": False})
