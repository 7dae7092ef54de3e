"""Scripts with required arguments that nobody gave, and with interfaces of years ago."""

import pytest

from shapewright.checking import examine

HEAD = "import argparse\nimport torch\np = argparse.ArgumentParser()\n"
TAIL = "\na = p.parse_args()\nprint(vars(a))\ntorch.nn.Linear(2, 3)(torch.randn(4, 2))\n"


@pytest.mark.parametrize(
    "adding, value",
    [
        ("p.add_argument('--dataset', required=True, help='cifar10 | lsun | folder | fake')", "'fake'"),
        ("p.add_argument('total_epochs', type=int)", "1"),
        ("p.add_argument('--mode', required=True, choices=['small', 'large'])", "'small'"),
        ("p.add_argument('--lr', type=float, required=True)", "0.1"),
        ("p.add_argument('--data', required=True, help='path to binarized_mnist.npz')", "'binarized_mnist.npz'"),
        ("p.add_argument('--root', required=True)\np.add_argument('files', nargs=2)", "['data', 'data']"),
        (
            "s = p.add_subparsers(dest='command', required=True)\ns.add_parser('eval')\nt = s.add_parser('train')\n"
            "t.add_argument('--size', type=int, required=True)",
            "2",
        ),
    ],
)
def test_required_arguments_are_filled(adding, value, run):
    trace = run(HEAD + adding + TAIL, probe=False)
    assert trace.outcome.state == "complete" and value in trace.output, trace.outcome
    assert any(item.kind == "argument-filled" for item in trace.assumptions)


def test_arguments_that_the_user_gives_are_the_users(run):
    text = HEAD + "p.add_argument('--lr', type=float, required=True)\np.add_argument('--n', required=True)" + TAIL
    assert run(text, argv=("--lr", "0.5"), probe=False).outcome.reason == "arguments"


OLD = {
    "steps": "p = torch.nn.Parameter(torch.ones(2))\no = torch.optim.Adam([p])\n"
    "o.state[p].update(step=0, exp_avg=torch.zeros(2), exp_avg_sq=torch.zeros(2))\np.sum().backward()\no.step()\nprint(p)",
    "numpy": "import numpy as np\nbest = np.Inf\nx = np.zeros(3, dtype=np.float)\nprint(best)",
    "loader": "from torch.utils.data import DataLoader\nit = iter(DataLoader(torch.randn(8, 2), 4))\nprint(it.next().shape)",
    "settings": "import io, yaml\nprint(yaml.load(io.StringIO('lr: 0.1')), *yaml.load_all(io.StringIO('a: 1')))",
    "scheduler": "m = torch.nn.Linear(2, 1)\no = torch.optim.SGD(m.parameters(), 0.1)\n"
    "s = torch.optim.lr_scheduler.ReduceLROnPlateau(o, verbose=True)\nm(torch.ones(1, 2)).sum().backward(); o.step(); s.step(1.0)",
    "weights only": "import io\nclass Kept:\n    n = 3\nf = io.BytesIO()\ntorch.save(Kept(), f)\nf.seek(0)\nprint(torch.load(f).n)",
    "backward": "x = torch.ones(2, requires_grad=True)\nl = (x * x).sum()\nl.backward(retain_variables=True); l.backward()",
    "transforms": "from torchvision import transforms\nt = transforms.Scale(8)\nprint(t(torch.zeros(3, 16, 16)).shape)",
    "array": "import numpy as np\nprint(torch.from_numpy(np.array([0.5, 1.0], copy=False)))",
    "array of one": "import numpy as np\nn = int(np.ones(1)) + np.int(np.ones((1, 1)))\nprint(n + float(np.ones(1)) == 3)",
    "python 2": "m = {1: 'a'}\nfor i in xrange(2):\n    print 'step %d' % i, m.has_key(i)\ntry:\n    m[5]\nexcept KeyError, e:\n    print e",
    "warm-up": "m = torch.nn.Linear(2, 1)\no = torch.optim.SGD(m.parameters(), 0.1)\n"
    "s = torch.optim.lr_scheduler.LinearLR(o, 0.5, verbose=True)\nm(torch.ones(1, 2)).sum().backward(); o.step(); s.step()",
    "sampler": "from torch.utils.data import Sampler\nclass Own(Sampler):\n    def __init__(self, data):\n"
    "        super().__init__(data)\n    def __iter__(self):\n        return iter([1])\nprint(*Own([3]))",
    "grid": "from torchvision.utils import make_grid\nprint(make_grid(torch.rand(4, 3, 8, 8), normalize=True, range=(0, 1)).shape)",
}


@pytest.mark.parametrize("name", OLD)
def test_an_old_interface_is_read_as_the_present_one_and_told(name, run):
    trace = run("import torch\n" + OLD[name] + "\n", probe=False)
    assert trace.outcome.state == "complete", trace.outcome
    assert any(item.kind == "old-interface" for item in trace.assumptions)


def test_a_plot_against_a_list_that_a_cut_left_short_is_passed_over(run):
    pytest.importorskip("matplotlib")
    trace = run(
        "import torch\nimport matplotlib.pyplot as plt\nm = torch.nn.Linear(2, 1)\no = torch.optim.SGD(m.parameters(), 0.1)\n"
        "losses = []\nfor e in range(50):\n    l = m(torch.randn(4, 2)).pow(2).mean()\n    o.zero_grad(); l.backward(); o.step()\n"
        "    losses.append(l.item())\nplt.plot(range(50), losses)\nprint('after')\n",
        probe=False,
    )
    assert trace.outcome.state == "complete" and trace.output == "after\n"


COMMANDS = {
    "click": "import click\n@click.command()\n@click.option('--epochs', type=int, required=True)\n"
    "@click.option('--mode', type=click.Choice(['small', 'large']), required=True)\n@click.argument('path')\n"
    "def main(epochs, mode, path):\n    print([epochs, mode, path])\n    torch.nn.Linear(2, 3)(torch.randn(4, 2))\nmain()\n",
    "fire": "import fire\ndef main(epochs: int, mode: str = 'small', path='data'):\n    print([epochs, mode, path])\n"
    "    torch.nn.Linear(2, 3)(torch.randn(4, 2))\nfire.Fire(main)\n",
    "tyro": "from dataclasses import dataclass\nfrom typing import Literal\nimport tyro\n@dataclass\nclass Args:\n"
    "    epochs: int\n    mode: Literal['small', 'large']\n    path: str\n"
    "a = tyro.cli(Args)\nprint([a.epochs, a.mode, a.path])\ntorch.nn.Linear(2, 3)(torch.randn(4, 2))\n",
}


@pytest.mark.parametrize("text", COMMANDS.values(), ids=COMMANDS.keys())
def test_other_command_lines_are_filled_too(text, run):
    trace = run("import torch\n" + text, probe=False)
    assert trace.outcome.state == "complete" and "[1, 'small', 'data']" in trace.output, trace.outcome
    assert any(item.kind == "argument-filled" for item in trace.assumptions)


@pytest.mark.parametrize(
    "place", ['version_base=None, config_path="conf", config_name="config"', 'config_path="conf/config.yaml"']
)
def test_settings_of_a_folder_are_put_together(place, resident, tmp_path):
    (tmp_path / "conf" / "net").mkdir(parents=True)
    (tmp_path / "conf" / "config.yaml").write_text(
        "defaults:\n  - net: small\n  - _self_\nepochs: 2\nwide: ${net.width}\n"
    )
    small = "width: 3\nlr: 1e-1\n_target_: torch.nn.Linear\nin_features: 4\nout_features: 2\n"
    if "conf/" in place:  # as settings were written for the versions that took a file's path
        small = small.replace("_target_", "class").replace("in_", "params:\n  in_").replace("out_", "  out_")
        small = "net:\n" + "".join(f"  {line}\n" for line in small.splitlines())
    (tmp_path / "conf" / "net" / "small.yaml").write_text(small)
    (tmp_path / "train.py").write_text(
        "import hydra, torch\nfrom omegaconf import DictConfig, OmegaConf\n"
        f"@hydra.main({place})\n"
        "def main(cfg: DictConfig):\n    cfg.net.width += cfg.net.lr > 1\n"
        "    print(cfg.epochs, cfg.net.width, cfg.wide, OmegaConf.to_container(cfg)['epochs'])\n"
        "    net = dict(cfg.net, params=dict(cfg.net.params or {})) if 'params' in cfg.net else cfg.net\n"
        "    hydra.utils.instantiate({k: v for k, v in net.items() if k not in ('width', 'lr')})(torch.randn(2, cfg.wide))\n"
        'if __name__ == "__main__":\n    main()\n'
    )
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident, repair=False)
    assert diagnosis.output == "2 3 3 2\n" and [finding.code for finding in diagnosis.findings] == ["SW102"]


def test_settings_of_a_format_are_those_of_the_project(resident, tmp_path):
    (tmp_path / "README.md").touch()
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "default.yaml").write_text("width: 3\n")
    (tmp_path / "conf" / "wide.yaml").write_text("width: 300\n")
    (tmp_path / "train.py").write_text(
        "import argparse, torch, yaml\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('-c', '--settings', required=True, help='YAML with the settings of a run')\n"
        "with open(parser.parse_args().settings) as text:\n    kept = yaml.safe_load(text)\n"
        "print(torch.nn.Linear(kept['width'], 2)(torch.rand(5, kept['width'])).shape)\n"
    )
    _, diagnosis = examine(str(tmp_path / "train.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete" and diagnosis.output == "torch.Size([5, 2])\n", diagnosis.reason
