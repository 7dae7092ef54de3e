"""The simulated accelerator: devices are followed, nothing is computed elsewhere."""

import io

import pytest
import torch
from torch import nn

from shapewright.checking import examine
from shapewright.run.device.simulated import Devices
from shapewright.run.device.worlds import world
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

pytestmark = pytest.mark.skipif(torch.cuda.is_available(), reason="the machine has the device")


@pytest.fixture
def assumptions():
    return Assumptions()


@pytest.fixture
def devices(assumptions):
    with Devices(assumptions, lambda: None).active():
        yield


def test_a_model_on_the_device_trains(devices, assumptions):
    device = torch.device("cuda:0")
    model = nn.Sequential(nn.Linear(4, 8), nn.LSTM(8, 8)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    x = torch.randn(5, 2, 4).cuda(non_blocking=True)
    with torch.autocast("cuda"):
        y, _ = model(x)
        loss = y.pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    assert (
        y.device == device and y.is_cuda and model[0].weight.grad.is_cuda and next(model.parameters()).device == device
    )
    assert y.cpu().detach().numpy().shape == (5, 2, 8) and loss.item() > 0
    assert [assumption.kind for assumption in assumptions.all()] == ["cuda-simulated"]


@pytest.mark.parametrize(
    "call, text",
    [
        (
            lambda: nn.Linear(4, 2).cuda()(torch.randn(3, 4)),
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
        ),
        (lambda: nn.Embedding(4, 2).to("cuda")(torch.tensor([1])), "found at least two devices"),
        (lambda: torch.ones(3, device="cuda") + torch.ones(3), "found at least two devices"),
        (lambda: torch.cat([torch.ones(3, device="cuda"), torch.ones(3)]), "found at least two devices"),
        (
            lambda: nn.functional.cross_entropy(torch.ones(2, 3).cuda(), torch.tensor([0, 1])),
            "found at least two devices",
        ),
        (
            lambda: nn.Conv2d(1, 2, 3).cuda()(torch.ones(1, 1, 5, 5)),
            "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same",
        ),
        (
            lambda: torch.ones(3)[torch.tensor([0]).cuda()],
            "indices should be either on cpu or on the same device as the indexed tensor (cpu)",
        ),
    ],
)
def test_devices_do_not_meet(devices, call, text):
    with pytest.raises(RuntimeError) as caught:
        call()
    assert text in str(caught.value)


def test_what_torch_allows_is_allowed(devices):
    x = torch.ones(3, 4, device="cuda")
    assert (
        (x * torch.tensor(2.0)).is_cuda
        and (x + 1).is_cuda
        and x[torch.tensor([0, 1])].is_cuda
        and x[torch.tensor([True, False, True])].is_cuda
    )
    x[0] = torch.zeros(4)
    x.copy_(torch.ones(3, 4))
    assert (
        torch.zeros_like(x).is_cuda
        and x.new_zeros(2).is_cuda
        and torch.arange(3, device=x.device).is_cuda
        and not x.cpu().is_cuda
    )
    assert (
        x.to(torch.float64).is_cuda
        and x.to(torch.ones(1)).device.type == "cpu"
        and x.type() == "torch.cuda.FloatTensor"
    )
    with torch.device("cuda"):
        assert torch.ones(2).is_cuda
    assert x.split(2, dim=1)[0].is_cuda and x.max(dim=1).indices.is_cuda and x.detach().is_cuda and x.T.is_cuda


def test_lengths_of_packed_sequences_stay_on_the_cpu(devices):
    lstm = nn.LSTM(4, 3, batch_first=True).cuda()
    packed = nn.utils.rnn.pack_padded_sequence(torch.randn(2, 5, 4).cuda(), torch.tensor([5, 3]), batch_first=True)
    output, lengths = nn.utils.rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True)
    assert output.is_cuda and lengths.numpy().tolist() == [5, 3] and not packed.batch_sizes.is_cuda


def test_parameters_are_where_their_data_are(devices):
    assert (
        nn.Parameter(torch.ones(2, device="cuda")).is_cuda
        and nn.Parameter(torch.ones(2).cuda()).is_cuda
        and not nn.Parameter(torch.ones(2)).is_cuda
    )
    assert nn.Linear(3, 2, device="cuda")(torch.ones(1, 3).cuda()).is_cuda
    with torch.device("cuda"):
        assert nn.Sequential(nn.Conv1d(3, 2, 1), nn.LSTM(4, 2))[1].weight_hh_l0.is_cuda


def test_the_default_device_may_be_absent(devices, assumptions):
    torch.set_default_device("cuda")
    assert (
        torch.ones(2).is_cuda
        and nn.Linear(3, 2)(torch.randn(1, 3)).is_cuda
        and torch.get_default_device() == torch.device("cuda:0")
    )
    assert not torch.ones(2, device="cpu").is_cuda and not torch.from_numpy(torch.ones(2).cpu().numpy()).is_cuda
    torch.set_default_device("cpu")
    assert not torch.ones(2).is_cuda
    torch.set_default_device(None)
    for kind in (torch.cuda.DoubleTensor, "torch.cuda.DoubleTensor"):
        torch.set_default_tensor_type(kind)
        assert torch.ones(2).is_cuda and torch.ones(2).dtype == torch.float64
        torch.set_default_tensor_type(torch.FloatTensor)
        assert not torch.ones(2).is_cuda and torch.ones(2).dtype == torch.float32
    assert [assumption.kind for assumption in assumptions.all()] == ["cuda-simulated"]


def test_numpy_of_a_device_tensor_fails_as_in_torch(devices):
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu"):
        torch.ones(2).cuda().numpy()


def test_a_moved_tensor_is_a_copy_and_a_moved_module_keeps_its_parameters(devices):
    x = torch.ones(2)
    x.cuda().add_(1)
    assert x.tolist() == [1, 1] and x.cuda().tolist() == [1, 1]
    layer = nn.Linear(2, 2)
    weight = layer.weight
    assert layer.cuda().weight is weight and weight.is_cuda
    moved = torch.ones(2, requires_grad=True)
    moved.cuda().sum().backward()
    assert moved.grad.tolist() == [1, 1] and not moved.grad.is_cuda


def test_the_names_of_torch_cuda_answer(devices):
    torch.cuda.synchronize(), torch.cuda.empty_cache(), torch.cuda.manual_seed_all(0), torch.cuda.set_device(0)
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record(), end.record()
    assert start.elapsed_time(end) > 0 and torch.cuda.memory_allocated() == 0 and torch.cuda.get_device_name(0)
    generator = torch.Generator(device="cuda").manual_seed(0)
    assert torch.randn(3, device="cuda", generator=generator).is_cuda and generator.device.type == "cuda"
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1


def test_map_location_decides(devices):
    file = io.BytesIO()
    torch.save({"a": torch.ones(2).cuda()}, file)
    for target, kind in (("cuda", "cuda"), ("cpu", "cpu"), (torch.device("cuda:0"), "cuda")):
        file.seek(0)
        assert torch.load(file, map_location=target, weights_only=True)["a"].device.type == kind


def test_names_come_back_afterwards(assumptions):
    before = (torch.Generator, torch.load, torch.cuda.Event)
    with Devices(assumptions, lambda: None).active():
        assert torch.load is not before[1]
    assert (torch.Generator, torch.load, torch.cuda.Event) == before


def test_a_run_begins_in_the_world_that_its_texts_name():
    request = RunRequest("a.py")
    assert world(request, ("model.to('cuda')",)) == "cuda" and world(request, ("", "device: mps")) == "mps"
    assert not world(request, ("model(x)", "--epochs 3"))
    assert not world(request, ("x.cuda() if torch.cuda.is_available() else x",))


@pytest.mark.parametrize(
    "demand",
    [
        'assert torch.cuda.is_available(), "this needs a GPU"',
        'if not torch.cuda.is_available():\n    raise SystemExit("CUDA is required")',
        'import sys\nif not torch.cuda.is_available():\n    print("no GPU")\n    sys.exit(1)',
    ],
)
def test_a_script_that_ends_without_a_gpu_is_given_one(demand, resident, tmp_path):
    (tmp_path / "a.py").write_text(
        f'import torch\n{demand}\nmodel = torch.nn.Linear(3, 2).cuda()\nprint(model(torch.randn(4, 3, device="cuda")).shape)\n'
        'print("cuda" if torch.cuda.is_available() else "cpu")\n'
    )
    trace, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "complete" and trace.output == "torch.Size([4, 2])\ncuda\n"
    assert [item.kind for item in trace.assumptions] == ["cuda-simulated"]


def test_a_script_that_computes_nothing_without_a_gpu_is_given_one(resident, tmp_path):
    (tmp_path / "a.py").write_text(
        "import torch\ndef work(rank):\n    torch.nn.Linear(3, 2).to(rank)(torch.ones(4, 3, device=rank)).sum().backward()\n"
        "for rank in range(torch.cuda.device_count()):\n    work(rank)\n"
    )
    trace = resident.run(RunRequest(str(tmp_path / "a.py")))
    assert trace.outcome.state == "complete" and [step.kind for step in trace.steps][-1] == "backward"


def test_a_real_accelerator_that_torch_looks_for_is_no_fault_of_the_script(resident, tmp_path):
    (tmp_path / "a.py").write_text(
        "import torch\nx = torch.ones(2, requires_grad=True)\nkept = x.to('cuda')\n"
        "kept.register_hook(lambda grad: torch.cuda._lazy_init())\nkept.sum().backward()\n"
    )
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "incomplete" and not diagnosis.findings, diagnosis.findings


def test_places_that_are_bound_on_an_accelerator_are_looked_at_without_it(run):
    text = "import torch\nnet = torch.nn.Linear(5, 30).cuda()\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    text += "for step in range(3):\n    loss = net(torch.randn(8, 5).cuda()).square().mean()\n    opt.zero_grad()\n"
    text += "    loss.backward()\n    opt.step()\n    order = torch.randperm(8).cuda()\n"
    trace = run(text, probe=False)
    assert trace.outcome.state == "complete", trace.outcome


def test_what_is_looked_for_on_an_accelerator_is_looked_at_without_it(run):
    text = "import torch\nnet = torch.nn.Linear(5, 30).cuda()\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    text += "for step in range(3):\n    loss = net(torch.randn(8, 5).cuda()).square().mean()\n    opt.zero_grad()\n"
    text += "    loss.backward()\n    opt.step()\nscores = net(torch.randn(5).cuda()).detach()\n"
    text += "print(3 in scores.topk(4).indices.tolist())\n"
    trace = run(text, probe=False)
    assert trace.outcome.state == "complete", trace.outcome
