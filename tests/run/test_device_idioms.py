"""The ways in which scripts put tensors on an accelerator, sound and mixed, in a world without one and in one with it."""

import pytest

HEAD = """import copy, io, pickle
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset
use = torch.cuda.is_available()
dev = torch.device("cuda:0" if use else "cpu")
model = nn.Linear(4, 2).to(dev)
"""
# each is sound with an accelerator and without one
SOUND = {
    "number": "if use:\n    model.to(0); model(torch.randn(3, 4).to(0))",
    "variable": "x = Variable(torch.randn(3, 4).to(dev), requires_grad=True)\nmodel(x).sum().backward()\nx.grad + x.data",
    "data": "h = model(torch.randn(3, 4, device=dev)).data\nh + model.bias",
    "new": "x = torch.randn(3, 4, device=dev)\nmodel(x.new_zeros(3, 4)) + x.new_ones(2) + x.new_tensor([1.0, 2.0])\nx.new(3, 4).fill_(0) + x",
    "like": "x = torch.randn(3, 4, device=dev)\nmodel(torch.zeros_like(x) + torch.rand_like(x) + torch.full_like(x, 2))",
    "type": "x = torch.randn(3, 4).to(dev)\nmodel(x.double().type(torch.float32)) + x.type_as(x)[:, :2]",
    "copy": "buffer = torch.zeros(3, 4, device=dev)\nbuffer.copy_(torch.randn(3, 4))\nmodel(buffer)",
    "deepcopy": "twin = copy.deepcopy(model)\ntwin(torch.randn(3, 4, device=dev)) + model.bias",
    "pickle": "other = pickle.loads(pickle.dumps(torch.randn(3, 4, device=dev)))\nmodel(other)",
    "load": "file = io.BytesIO()\ntorch.save(model.state_dict(), file)\nfile.seek(0)\n"
    "model.load_state_dict(torch.load(file, map_location=dev))\nmodel(torch.randn(3, 4, device=dev))",
    "load to the cpu": "file = io.BytesIO()\ntorch.save({'m': model.state_dict()}, file)\nfile.seek(0)\n"
    "nn.Linear(4, 2).load_state_dict(torch.load(file, map_location='cpu')['m'])",
    "loader": "for x, y in DataLoader(TensorDataset(torch.randn(9, 4), torch.randint(2, (9,))), 4, pin_memory=True):\n"
    "    F.cross_entropy(model(x.to(dev, non_blocking=True)), y.to(dev)).backward()",
    "subclass": "class Points(torch.Tensor):\n    pass\n"
    "p = torch.randn(3, 4, device=dev).as_subclass(Points)\nmodel(p) + model.bias",
    "function": "class Double(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, w):\n"
    "        ctx.save_for_backward(x, w); ctx.w = w\n        return x * w\n    @staticmethod\n    def backward(ctx, g):\n"
    "        x, w = ctx.saved_tensors\n        return g * w * ctx.w + torch.zeros(x.shape, device=g.device), (g * x).sum()\n"
    "x = torch.randn(3, 4, device=dev, requires_grad=True)\nDouble.apply(x, torch.ones(1, device=dev)).sum().backward()\n"
    "x.grad + torch.ones(4, device=dev)",
    "hook": "mask = torch.ones(2, 4, device=dev)\nmodel.weight.register_hook(lambda g: g * mask + torch.zeros(4, device=g.device))\n"
    "model(torch.randn(3, 4, device=dev)).sum().backward()",
    "autograd grad": "x = torch.randn(3, 4, device=dev, requires_grad=True)\n"
    "g, = torch.autograd.grad(model(x).sum(), x, create_graph=True)\n((g.norm(2, dim=1) - 1) ** 2).mean().backward()",
    "amp": "scaler = torch.cuda.amp.GradScaler(enabled=use)\nopt = torch.optim.SGD(model.parameters(), 0.1)\n"
    "with torch.autocast(dev.type, enabled=use):\n    loss = model(torch.randn(3, 4, device=dev)).sum()\n"
    "scaler.scale(loss).backward(); scaler.step(opt); scaler.update()",
    "legacy constructor": "T = torch.cuda.FloatTensor if use else torch.FloatTensor\nmodel(Variable(T(3, 4).fill_(1.0)))",
    "isinstance": "if isinstance(torch.ones(2), torch.FloatTensor):\n    print('plain')\nelse:\n    raise ValueError('no')",
    "default device": "torch.set_default_device(dev)\nmodel(torch.randn(3, 4)) + nn.Linear(4, 2)(torch.ones(3, 4))\ntorch.set_default_device('cpu')",
    "default type": "torch.set_default_tensor_type('torch.cuda.FloatTensor' if use else 'torch.FloatTensor')\n"
    "model(torch.randn(3, 4))\ntorch.set_default_tensor_type('torch.FloatTensor')",
    "context": "with torch.device(dev):\n    layer = nn.Linear(4, 2)\nlayer(torch.randn(3, 4, device=dev))",
    "stream": "if use:\n    s = torch.cuda.Stream()\n    with torch.cuda.stream(s):\n        model(torch.randn(3, 4, device=dev))\n    torch.cuda.current_stream().wait_stream(s)",
    "set_device": "if use:\n    torch.cuda.set_device(0); torch.backends.cudnn.benchmark = True\n    model.cuda()(torch.randn(3, 4).cuda(non_blocking=True))",
    "buffers": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('mean', torch.zeros(4))\n"
    "        self.fc = nn.Linear(4, 2)\n    def forward(self, x):\n        return self.fc(x - self.mean)\n"
    "Net().to(dev)(torch.randn(3, 4, device=dev))",
    "optimizer state": "opt = torch.optim.Adam(model.parameters())\nfor _ in range(3):\n    opt.zero_grad(); model(torch.ones(3, 4, device=dev)).sum().backward(); opt.step()",
    "numbers": "y = model(torch.randn(3, 4, device=dev))\ny * torch.tensor(2.0) + 1\ny.cpu().detach().numpy(), y.argmax(1).tolist(), float(y.sum())",
    "recurrent": "rnn = nn.LSTM(4, 3, batch_first=True).to(dev)\nh = torch.zeros(1, 2, 3).to(dev)\nrnn(torch.randn(2, 5, 4).to(dev), (h, h))[0] + torch.ones(3, device=dev)",
    "checkpoint": "from torch.utils.checkpoint import checkpoint\nx = torch.randn(3, 4, device=dev, requires_grad=True)\n"
    "checkpoint(model, x, use_reentrant=False).sum().backward()",
    "generator": "g = torch.Generator(device=dev).manual_seed(0)\nmodel(torch.randn(3, 4, generator=g, device=dev))",
    "parallel": "net = nn.DataParallel(model) if torch.cuda.device_count() > 1 else model\nnet(torch.randn(3, 4, device=dev))",
    "parallel with inputs on the CPU": "if use:\n    nn.DataParallel(model)(torch.randn(3, 4)) + torch.ones(2, device=dev)",
    "counted by places": "table = torch.zeros(3, 3)\nfor t, p in zip(torch.tensor([0, 1], device=dev), torch.tensor([2, 1], device=dev)):\n"
    "    table[t.long(), p.long()] += 1\ntable.numpy()",
    "type of the CPU": "model(torch.randn(3, 4, device=dev)).type(torch.FloatTensor).detach().numpy()",
    "numbers in a list": "torch.tensor([torch.ones((), device=dev), torch.ones((), device=dev)]).numpy()",
    "causal mask": "layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)\n"
    "nn.TransformerEncoder(layer, 1).to(dev)(torch.randn(2, 3, 4, device=dev), nn.Transformer.generate_square_subsequent_mask(3), is_causal=True)",
    "accelerator": "d = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device('cpu')\n"
    "nn.Linear(4, 2).to(d)(torch.randn(3, 4, device=d))",
}
# each mixes devices where there is an accelerator
MIXED = {
    "input": "model(torch.randn(3, 4))",
    "state": "nn.LSTM(4, 3).to(dev)(torch.randn(5, 2, 4).to(dev), (torch.zeros(1, 2, 3), torch.zeros(1, 2, 3)))",
    "target": "F.cross_entropy(model(torch.randn(3, 4, device=dev)), torch.tensor([0, 1, 1]))",
    "legacy": "model(torch.randn(3, 4, device=dev)) + torch.FloatTensor([1.0, 2.0])",
    "attribute": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.mean = torch.zeros(4)\n"
    "        self.fc = nn.Linear(4, 2)\n    def forward(self, x):\n        return self.fc(x - self.mean)\n"
    "Net().to(dev)(torch.randn(3, 4, device=dev))",
    "not assigned": "x = torch.randn(3, 4)\nx.to(dev)\nmodel(x)",
    "numpy": "model(torch.randn(3, 4, device=dev)).detach().numpy()",
    "new layer": "nn.Linear(2, 1)(model(torch.randn(3, 4, device=dev)))",
    "variable": "model(Variable(torch.randn(3, 4)))",
    "pinned": "for x, in DataLoader(TensorDataset(torch.randn(9, 4, device=dev)), 4, pin_memory=True): model(x)",
    "lengths": "nn.utils.rnn.pack_padded_sequence(torch.randn(2, 5, 4, device=dev), torch.tensor([5, 3], device=dev), batch_first=True)",
    "moved after a step": "other = nn.Linear(4, 2)\nopt = torch.optim.SGD(other.parameters(), 0.1, momentum=0.9)\n"
    "other(torch.randn(3, 4)).sum().backward(); opt.step(); opt.zero_grad(); other.to(dev)\n"
    "other(torch.randn(3, 4, device=dev)).sum().backward(); opt.step()",
    "generator": "torch.randn(3, device=dev, generator=torch.Generator())",
    "total": "total = torch.tensor(0.0)\ntotal += model(torch.randn(3, 4, device=dev)).sum().detach()",
    "gradient": "model(torch.randn(3, 4, device=dev)).backward(torch.ones(3, 2))",
    "values at places": "x = torch.zeros(5, device=dev)\nx[torch.tensor([0, 2])] = torch.ones(2)",
}


@pytest.mark.parametrize("kind", ["", "cuda"])
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_idiom_runs_in_both_worlds(name, kind, run):
    trace = run(HEAD + SOUND[name] + "\n", accelerator=kind, probe=False)
    assert trace.failure is None and trace.outcome.state == "complete", (trace.outcome, trace.failure)


@pytest.mark.parametrize("name", MIXED)
def test_mixed_devices_fail_where_there_is_an_accelerator(name, run):
    assert run(HEAD + MIXED[name] + "\n", probe=False).outcome.state == "complete"
    trace = run(HEAD + MIXED[name] + "\n", accelerator="cuda", probe=False)
    assert (
        trace.failure is not None and trace.failure.site.line == len((HEAD + MIXED[name]).splitlines())
    ) or name == "attribute"
    assert trace.outcome.state == "stopped" and any(word in trace.failure.message for word in ("device", "pin", "CPU"))


@pytest.mark.parametrize(
    "text",
    [
        "model.cuda()(torch.randn(3, 4).cuda())",
        "model.to(dev)(torch.randn(3, 4).to(dev)).cuda() + torch.zeros(2).cuda()",
        "model.to(0)(torch.randn(3, 4).to(0))",
        "torch.cuda.set_device(0)\nmodel.cuda()",
        "print(torch.cuda.get_device_name(0))",
        "model(torch.randn(3, 4).cuda())",  # on a machine with one `model` is there
        "assert use, 'no GPU'\nmodel(torch.randn(3, 4).cuda())",
        "if use:\n    T = torch.cuda.FloatTensor\nmodel(T(3, 4))",
        "torch.zeros(2, device='cuda') + model.bias",
    ],
)
def test_what_is_asked_without_a_condition_is_there_from_the_first_line_on(text, run):
    trace = run(HEAD + text + "\nprint(torch.cuda.is_available(), dev)\n", probe=False)
    assert trace.failure is None and trace.outcome.state == "complete", (trace.outcome, trace.failure)
    assert trace.output.endswith("True cuda:0\n")
    assert [item.kind for item in trace.assumptions] == ["cuda-simulated"]


@pytest.mark.parametrize("kind", ["mps", "xpu"])
def test_other_accelerators_are_worlds_too(kind, run):
    trace = run(
        f"import torch\nif not torch.{kind}.is_available():\n    raise SystemExit(1)\n"
        f"print((torch.ones(2, device='{kind}') + 1).device, torch.accelerator.current_accelerator())\n"
        if kind == "xpu"
        else "import torch\nassert torch.backends.mps.is_available()\nprint(torch.ones(2).to('mps').device, torch.cuda.is_available())\n",
        probe=False,
    )
    assert trace.outcome.state == "complete", trace.outcome
    assert trace.output == ("xpu:0 xpu\n" if kind == "xpu" else "mps:0 False\n")
