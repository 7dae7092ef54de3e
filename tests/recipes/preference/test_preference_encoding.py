"""Truncation never takes the answer, eos always stands at the end, and batches of one length are still a shuffled whole."""

import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.policy.prompts import read_prompts
from shapewright.recipes.preference import generated
from shapewright.recipes.preference.encoding import by_length, common_length, encode_pairs, pack_pairs
from shapewright.recipes.preference.rows import Complaints, Pair, read_pairs


@pytest.fixture(scope="module")
def codec():
    return Codec.train([row["prompt"] + row["chosen"] for row in generated.rows(50)], 300)


def rows_of(pair):
    return list(pair.prefix + pair.chosen), list(pair.prefix + pair.rejected)


def test_rows_are_the_whole_text_and_end_in_eos(codec):
    pair = Pair("\n\nHuman: hi\n\nAssistant:", " a cat", " a dog", line=1)
    encoded = encode_pairs([pair], codec, 100, Complaints())[0]
    for row, answer in zip(rows_of(encoded), (pair.chosen, pair.rejected)):
        assert row == [*codec.encode(pair.prompt + answer), codec.eos_id]
        assert codec.decode(row) == pair.prompt + answer


def test_trimming_cuts_the_beginning_of_the_prompt_only_and_says_so(codec):
    pair = Pair("word " * 60, "the whole answer stays", "and so does this one", line=7)
    complaints = Complaints()
    encoded = encode_pairs([pair], codec, 40, complaints)[0]
    assert encoded.length == 40
    for row, answer in zip(rows_of(encoded), (pair.chosen, pair.rejected)):
        assert codec.decode(row).endswith(answer)
    assert complaints.lines == {"shortened: beginning of the prompt cut to fit 40 tokens": [7]}


def test_answers_are_counted_from_where_the_prompt_ends(codec):
    """Not from where the two answers part, and not from the prompt tokenized alone, whose last token may melt into the answer."""
    pair = Pair("tell me of a", " cat and a fox", " cat and an owl", line=1)
    encoded = encode_pairs([pair], codec, 60, Complaints())[0]
    for row, count, answer in zip(rows_of(encoded), encoded.answers, (pair.chosen, pair.rejected)):
        assert codec.decode(row[-count:]) == answer
    limit = encoded.length - len(codec.encode(pair.prompt)) - 1  # The whole prompt and a token that both answers share.
    assert encode_pairs([pair], codec, limit, Complaints()) == []
    melted = Pair("tell me of t", "he cat", "wo", line=1)  # " the" is one token.
    encoded = encode_pairs([melted], codec, 60, Complaints())[0]
    assert codec.encode(melted.prompt + melted.chosen)[: len(codec.encode(melted.prompt))] != codec.encode(
        melted.prompt
    )
    assert codec.decode(rows_of(encoded)[0][-encoded.answers[0] :]).endswith(melted.prompt[-1] + melted.chosen)


def opened(codec, chat_template=None):
    """The same tokenizer through transformers, with a bos before every text."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, processors

    core = Tokenizer.from_str(codec.core.to_str())
    core.add_special_tokens(["<s>"])
    core.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", core.token_to_id("<s>"))]
    )
    whole = transformers.PreTrainedTokenizerFast(
        tokenizer_object=core, bos_token="<s>", eos_token="<|endoftext|>", pad_token="<|pad|>"
    )
    whole.chat_template = chat_template
    return whole


def test_what_opens_a_text_stays_when_its_beginning_is_cut(codec, tmp_path):
    """Without bos, or the [CLS] that BERT is scored at, the shortened rows would be texts of another kind."""
    opened(codec).save_pretrained(tmp_path)
    loaded = Codec.load(str(tmp_path))
    bos = loaded.core.token_to_id("<s>")
    assert loaded.opening == [bos] and loaded.encode("") == [bos] and loaded.encode("<s>a")[:2].count(bos) == 1
    pair = Pair("word " * 60, "the whole answer stays", "and so does this one", line=7)
    encoded = encode_pairs([pair], loaded, 40, Complaints())[0]
    assert encoded.length == 40
    for row, count, answer in zip(rows_of(encoded), encoded.answers, (pair.chosen, pair.rejected)):
        assert (
            row[0] == bos
            and row.count(bos) == 1
            and loaded.decode(row).endswith(answer)
            and loaded.decode(row[-count:]).strip() == answer
        )
    assert loaded.shorten([bos, 5, 6, 7], 3) == [bos, 6, 7] and loaded.shorten([5, 6, 7], 2) == [6, 7]
    assert not loaded.same_as(codec)


def test_a_chat_is_written_by_the_template_and_divided_where_the_answer_begins(codec, tmp_path):
    template = "{% for m in messages %}{% if m['role'] == 'tool' %}{{ raise_exception('no tools') }}{% endif %}[{{ m['role'] }}]{{ m['content'] }}{% endfor %}"
    opened(codec, template + "{% if add_generation_prompt %}[assistant]{% endif %}").save_pretrained(tmp_path)
    loaded, complaints = Codec.load(str(tmp_path)), Complaints()
    asked = [{"role": "user", "content": "hi"}]
    rows = [
        {"prompt": asked, "chosen": "good", "rejected": "bad"},
        {"prompt": [{"role": "tool", "content": "x"}], "chosen": "a", "rejected": "b"},
    ]
    assert read_pairs(enumerate(rows, 1), loaded.chat, complaints) == [
        Pair("[user]hi[assistant]", "good", "bad", None, 1)
    ]
    assert "the chat template refuses it: no tools: 1 row (line 2)" in complaints.text()
    (tmp_path / "prompts.jsonl").write_text(json.dumps({"prompt": asked}) + '\n"text"')
    assert read_prompts(str(tmp_path / "prompts.jsonl"), loaded, Complaints()) == ["[user]hi[assistant]", "text"]


def test_overlong_pairs_are_dropped_only_when_asked_and_counted(codec):
    complaints = Complaints()
    assert encode_pairs([Pair("word " * 60, "a", "b", line=3)], codec, 40, complaints, overlong="drop") == []
    assert complaints.lines == {"left out: longer than 40 tokens": [3]}


def test_an_answer_that_does_not_fit_is_never_cut(codec):
    complaints = Complaints()
    assert encode_pairs([Pair("Q: ", "word " * 60, "short", line=4)], codec, 40, complaints) == []
    assert complaints.lines == {"left out: an answer alone is longer than 40 tokens": [4]}


def test_no_pair_vanishes_without_a_word(codec):
    pairs = [Pair("word " * (3 * number), "an answer", "another one", line=number) for number in range(1, 40)]
    for overlong in ("trim", "drop"):
        complaints = Complaints()
        encoded = encode_pairs(pairs, codec, 50, complaints, overlong=overlong)
        left_out = sum(len(lines) for reason, lines in complaints.lines.items() if reason.startswith("left out"))
        assert len(encoded) + left_out == len(pairs)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=400), st.integers(1, 9), st.integers(0, 1000))
def test_length_order_is_a_permutation(lengths, batch_size, seed):
    generator = torch.Generator().manual_seed(seed)
    order = by_length(torch.tensor(lengths), torch.randperm(len(lengths), generator=generator), batch_size, generator)
    assert sorted(order.tolist()) == list(range(len(lengths)))


@pytest.mark.parametrize("size", [23, 700])
def test_every_batch_is_of_neighbours_in_length_and_the_ragged_one_is_last(size):
    generator = torch.Generator().manual_seed(1)
    lengths = torch.randperm(size, generator=generator)
    order = by_length(lengths, torch.randperm(size, generator=generator), 8, generator)
    assert all((lengths[batch].diff() > 0).all() for batch in order.split(8))


def test_length_order_leaves_little_padding_and_is_no_curriculum():
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(16, 256, (2000,), generator=generator)

    def padding(order):
        batches = lengths[order].split(8)
        return 1 - lengths.sum() / sum(len(batch) * batch.max() for batch in batches)

    shuffled = torch.randperm(2000, generator=generator)
    order = by_length(lengths, shuffled, 8, generator)
    assert padding(shuffled) > 0.3 and padding(order) < 0.1
    means = torch.stack([batch.float().mean() for batch in lengths[order].split(8)])
    correlation = torch.corrcoef(torch.stack([means, torch.arange(len(means)).float()]))[0, 1]
    assert abs(correlation) < 0.25


def test_packing_counts_each_shared_token_once(codec):
    encoded = encode_pairs(
        [Pair("\n\nHuman: tell me of a fox\n\nAssistant:", " gladly", " no", line=1)], codec, 60, Complaints()
    )
    shared, apart = pack_pairs(encoded), pack_pairs(encoded, share=False)
    assert apart.ids_N.numel() == encoded[0].tokens
    assert shared.ids_N.numel() == encoded[0].tokens - len(encoded[0].prefix)


def test_common_length():
    assert common_length([1, 2], [1, 2, 3]) == 2 and common_length([], [1]) == 0 and common_length([2], [1]) == 0
