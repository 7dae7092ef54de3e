"""The dry engine: sizes without numbers, faults as torch words them, values assumed and noted."""

import copy
import io

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from shapewright.run.engines.dry import Dry
from shapewright.run.record.assume import Assumptions


@pytest.fixture
def assumptions():
    return Assumptions()


@pytest.fixture
def dry(assumptions):
    with Dry(assumptions, lambda: None).active():
        yield


def test_a_training_step_reads_assumed_values(dry, assumptions):
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.AdamW(model.parameters())
    scores = model(torch.randn(16, 4))
    loss = F.cross_entropy(scores, torch.randint(0, 3, (16,)))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    assert not assumptions.all()
    assert loss < float("inf") and not torch.isnan(loss) and torch.isfinite(loss)
    assert 0 < (scores.argmax(1) == torch.zeros(16, dtype=torch.long)).float().mean().item() <= 1
    assert scores.detach().numpy().shape == (16, 3) and len(scores.tolist()[0]) == 3
    assert f"{loss:.2f}" == "1.00"
    assert {assumption.kind for assumption in assumptions.all()} == {"value-assumed"}


def test_a_list_of_what_was_computed_becomes_a_tensor(dry):
    kept = [nn.Linear(4, 2)(torch.randn(4)).mean().detach() for _ in range(3)]
    pairs = torch.as_tensor([[one, 2.0] for one in kept])
    assert torch.tensor(kept, dtype=torch.float).shape == (3,) and pairs.shape == (3, 2) and pairs[0, 1] == 2


def test_data_keep_their_numbers_and_parameters_do_not(dry):
    layer = nn.Linear(3, 3)
    data = torch.arange(6).view(2, 3)
    assert data.sum().item() == 15
    with torch._C.DisableTorchFunction():
        assert layer.weight.is_meta and not data.is_meta
    assert layer.weight.device == torch.device("cpu") and not layer.weight.is_meta


def test_large_data_cost_no_memory(dry):
    assert torch.randn(400_000, 100_000).shape == (400_000, 100_000)
    assert (torch.zeros(200_000, 1) + torch.zeros(1, 200_000)).shape == (200_000, 200_000)
    assert F.one_hot(torch.arange(90_000), 90_000).shape == (90_000, 90_000)


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (
            lambda: nn.Linear(4, 3)(torch.randn(2, 5)),
            RuntimeError,
            "mat1 and mat2 shapes cannot be multiplied (2x5 and 4x3)",
        ),
        (
            lambda: nn.Linear(30000, 30000)(torch.randn(2, 5000)),
            RuntimeError,
            "mat1 and mat2 shapes cannot be multiplied (2x5000 and 30000x30000)",
        ),
        (lambda: nn.Embedding(10, 3)(torch.tensor([10])), IndexError, "index out of range in self"),
        (
            lambda: F.cross_entropy(nn.Linear(4, 3)(torch.randn(2, 4)), torch.tensor([0, 3])),
            IndexError,
            "Target 3 is out of bounds.",
        ),
        (
            lambda: nn.Conv2d(3, 4, 3)(torch.randn(2, 1, 8, 8)),
            RuntimeError,
            "to have 3 channels, but got 1 channels instead",
        ),
        (
            lambda: nn.LSTM(4, 3)(torch.randn(2, 3, 5)),
            RuntimeError,
            "input.size(-1) must be equal to input_size. Expected 4, got 5",
        ),
        (
            lambda: nn.Linear(4, 3)(torch.randn(2, 4))[torch.tensor([2])],
            IndexError,
            "index 2 is out of bounds for dimension 0 with size 2",
        ),
        (
            lambda: nn.Linear(4, 3)(torch.randn(2, 4)) + torch.randn(4, 3),
            RuntimeError,
            "The size of tensor a (2) must match the size of tensor b (4)",
        ),
        (
            lambda: nn.Linear(4, 3)(torch.randn(2, 4)).view(4, 3),
            RuntimeError,
            "shape '[4, 3]' is invalid for input of size 6",
        ),
        (
            lambda: nn.Linear(4, 3)(torch.randn(2, 4)).numpy(),
            RuntimeError,
            "Can't call numpy() on Tensor that requires grad",
        ),
    ],
)
def test_faults_are_worded_as_on_the_cpu(dry, call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)


def test_masks_keep_ranks_and_consistent_counts(dry):
    scores = nn.Linear(4, 4)(torch.randn(3, 4))
    known = torch.tensor([True, False, True])
    assert scores[known].shape == (2, 4)
    kept, target = scores[scores[:, 0] > 0], torch.zeros(3, 4)[scores[:, 0] > 0]
    F.mse_loss(kept, target).backward()
    assert (
        scores.nonzero().dim() == 2 and len(torch.where(scores > 0)) == 2 and torch.unique(scores.argmax(1)).dim() == 1
    )
    scores = scores.clone()
    scores[scores > 1] = 0
    scores[known] = 0


def test_packed_sequences_and_both_recurrent_directions(dry):
    lstm, embed = nn.LSTM(4, 6, batch_first=True, bidirectional=True), nn.Linear(4, 4)
    packed = nn.utils.rnn.pack_padded_sequence(
        embed(torch.randn(3, 7, 4)), torch.tensor([2, 5, 4]), batch_first=True, enforce_sorted=False
    )
    output, (hidden, _) = lstm(packed)
    output, lengths = nn.utils.rnn.pad_packed_sequence(output, batch_first=True)
    output.sum().backward()
    assert output.shape == (3, 5, 12) and hidden.shape == (2, 3, 6) and lengths.tolist() == [2, 5, 4]


def test_transformer_encoder_deepcopies_and_evaluates(dry):
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, batch_first=True), 2)
    model(torch.randn(2, 5, 16), src_key_padding_mask=torch.zeros(2, 5, dtype=torch.bool)).sum().backward()
    copied = copy.deepcopy(model).eval()
    with torch.no_grad():
        assert copied(torch.randn(2, 5, 16)).shape == (2, 5, 16)


def test_checkpoints_are_small_and_their_shapes_are_compared(dry):
    file = io.BytesIO()
    torch.save(nn.Linear(3000, 3000).state_dict(), file)
    assert file.tell() < 10_000
    file.seek(0)
    state = torch.load(file, weights_only=True)
    nn.Linear(3000, 3000).load_state_dict(state)
    with pytest.raises(RuntimeError, match="size mismatch for weight"):
        nn.Linear(2000, 3000).load_state_dict(state)


def test_a_leaf_of_the_user_gets_its_gradient(dry):
    weight = torch.randn(4, 3, requires_grad=True)
    (nn.Linear(4, 4)(torch.randn(2, 4)) @ weight).sum().backward()
    assert weight.grad.shape == (4, 3)


def test_operators_that_change_shapes_in_place_are_not_remembered(dry):
    layer = nn.GRU(4, 3, batch_first=True)
    for _ in range(3):
        assert layer(torch.randn(2, 5, 4))[0].shape == (2, 5, 3)
        assert nn.Linear(4, 3)(torch.randn(2, 4)).transpose_(0, 1).shape == (3, 2)


def test_a_wrong_operand_in_place_is_worded_as_on_the_cpu(dry):
    for _ in range(2):
        with pytest.raises(
            RuntimeError,
            match="The size of tensor a .3. must match the size of tensor b .2. at non-singleton dimension 1",
        ):
            nn.Linear(4, 3)(torch.randn(2, 4)).add_(torch.ones(2, 2))


def test_a_loop_until_all_are_finished_ends(dry):
    unfinished, length, head = torch.ones(2, dtype=torch.long), 0, nn.Linear(4, 10)
    while not bool(unfinished.max() == 0):
        token = head(torch.randn(2, 4)).argmax(-1)
        length += 1
        done = torch.isin(token, torch.tensor([9])) | torch.full((2,), length >= 5)
        unfinished = unfinished & ~done
        assert length <= 5
    assert length == 5


def test_what_learns_is_written_into_data(dry):
    layer = nn.Linear(6, 4)
    times = torch.randn(5, 4)
    times += layer(torch.randn(5, 6))
    kept = torch.zeros(5, 4)
    kept[:, :2] = layer(torch.randn(5, 6))[:, :2]
    kept.index_add_(0, torch.arange(5), layer(torch.randn(5, 6)))
    with torch._C.DisableTorchFunction():
        assert not kept.is_meta
    (times + kept).pow(2).mean().backward()
    assert layer.weight.grad.shape == (4, 6)
    with pytest.raises(RuntimeError, match="must match the size|doesn't match"):
        times += layer(torch.randn(3, 6))


def test_what_a_model_chose_replaces_numbers_that_were_never_set(dry):
    scores = nn.Linear(6, 11)(torch.randn(1, 6))
    token = scores.argmax(1)
    drawn = torch.full((1, 3), 10**9)
    drawn[:, :1].fill_(token[0])
    drawn[:, 1] = token
    drawn[:, 2:].copy_(token[:, None])
    assert nn.Embedding(11, 4)(drawn).shape == (1, 3, 4)


@pytest.mark.parametrize(
    "call",
    [
        lambda seen, data: torch.cdist(seen, data),
        lambda seen, data: F.scaled_dot_product_attention(seen[None], data[None], data[None]),
        lambda seen, data: torch.linalg.multi_dot([seen, data.t(), data]),
        lambda seen, data: torch.quantile(seen, data[0].sigmoid()),
    ],
)
def test_operators_that_compare_places_take_shapes_beside_data(dry, call):
    layer, data = nn.Linear(6, 4), torch.randn(64, 4)
    call(layer(torch.randn(64, 6)), data).sum().backward()
    assert layer.weight.grad.shape == (4, 6)
    with pytest.raises(RuntimeError):
        call(layer(torch.randn(64, 6)), torch.randn(64, 5)[:, 1:].repeat(1, 2)[:, :7].double().unsqueeze(0))
