"""The packed GPT-2 gives transformers' numbers: with padding left out, prefixes shared, and the last block computed for few tokens."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapewright.recipes.backbone import gpt2
from shapewright.recipes.backbone.packed import gather, pack, spread

transformers = pytest.importorskip("transformers")
SHAPE = gpt2.GPT2Shape(vocab_size=61, n_positions=48, n_embd=32, n_layer=3, n_head=4)


@pytest.fixture(scope="module")
def models():
    torch.manual_seed(0)
    config = transformers.GPT2Config(**SHAPE.config(bos_token_id=0, eos_token_id=0))
    reference = transformers.GPT2Model(config).eval()
    for parameter in reference.parameters():  # Zeros and ones of an untrained model would hide a lost bias.
        torch.nn.init.normal_(parameter, std=0.2)
    own = gpt2.GPT2(SHAPE)
    own.load_state_dict(reference.state_dict())
    return own, reference


def lists(length):
    return st.lists(st.integers(0, 60), min_size=length[0], max_size=length[1])


groups_of_two = st.lists(st.tuples(lists((0, 12)), st.tuples(lists((1, 12)), lists((1, 12)))), min_size=1, max_size=5)


@settings(max_examples=40, deadline=None)
@given(groups_of_two)
def test_shared_prefix_and_short_last_block_change_nothing(models, groups):
    own, reference = models
    with torch.no_grad():
        shared = gpt2.hidden(own, pack(groups), 4)
        alone = torch.cat(
            [
                reference(torch.tensor([prefix + tail])).last_hidden_state[:, -1]
                for prefix, tails in groups
                for tail in tails
            ]
        )
    torch.testing.assert_close(shared, alone, atol=2e-5, rtol=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.lists(lists((2, 20)), min_size=1, max_size=5), st.integers(0, 1000))
def test_any_wanted_span_equals_the_whole_model(models, rows, seed):
    own, reference = models
    generator = torch.Generator().manual_seed(seed)
    spans = []
    for row in rows:
        first = int(torch.randint(0, len(row), (1,), generator=generator))
        spans.append((first, int(torch.randint(first + 1, len(row) + 1, (1,), generator=generator))))
    packed = pack([((), (row,)) for row in rows], spans)
    with torch.no_grad():
        found = gpt2.hidden(own, packed, 4)
        expected = torch.cat(
            [reference(torch.tensor([row])).last_hidden_state[0, first:end] for row, (first, end) in zip(rows, spans)]
        )
        everything = gpt2.hidden(own, packed.all_wanted(), 4)
    torch.testing.assert_close(found, expected, atol=2e-5, rtol=1e-5)
    torch.testing.assert_close(
        everything,
        torch.cat([reference(torch.tensor([row])).last_hidden_state[0] for row in rows]),
        atol=2e-5,
        rtol=1e-5,
    )


def test_gradients_equal_those_of_the_padded_model(models):
    own, reference = models
    groups = [([5, 6, 7], ([8], [9, 10, 11, 12])), ([1, 2], ([3, 4, 5], [6]))]
    gpt2.hidden(own, pack(groups), 4).square().sum().backward()
    rows = [prefix + tail for prefix, tails in groups for tail in tails]
    longest = max(map(len, rows))
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    states = reference(ids, attention_mask=mask).last_hidden_state
    states[torch.arange(4), mask.sum(1) - 1].square().sum().backward()
    for (name, one), other in zip(own.named_parameters(), reference.parameters()):
        torch.testing.assert_close(
            one.grad, other.grad, atol=2e-4, rtol=2e-4, msg=lambda text, name=name: f"{name}: {text}"
        )
    own.zero_grad(), reference.zero_grad()


def test_fused_gelu_is_gelu_new():
    x = torch.linspace(-6, 6, 1001)
    torch.testing.assert_close(
        torch.nn.functional.gelu(x, approximate="tanh"),
        transformers.activations.ACT2FN["gelu_new"](x),
        atol=1e-6,
        rtol=1e-6,
    )


def test_spread_and_gather_are_inverse_and_count_every_copy():
    packed = pack([([1, 2], ([3], [4, 5])), ([], ([6], [7]))])
    values = torch.randn(packed.ids_N.numel(), 3, requires_grad=True)
    rows = spread(values, packed)
    torch.testing.assert_close(gather(rows, packed), values)
    real = torch.arange(rows.shape[1]) < packed.lengths_R.unsqueeze(1)
    torch.where(real.unsqueeze(-1), rows, 0.0).sum().backward()
    assert values.grad[:, 0].tolist() == [2, 2, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    "groups, wanted, reason",
    [
        ([], None, "continuations"),
        ([([1], ([2],)), ([1], ([2], [3]))], None, "continuations"),
        ([([], ([],))], None, "no token"),
        ([([], ([1],))], [(0, 2)], "were wanted"),
    ],
)
def test_impossible_batches_are_refused(groups, wanted, reason):
    with pytest.raises(ValueError, match=reason):
        pack(groups, wanted)
