"""Scripts that fail only for want of how their authors start them: the folder, arguments, variables, the Python."""

import json

import pytest

from shapewright.run.script.commands import commands

LAYER = "net = torch.nn.Linear(4, 2)\nprint(net(torch.ones(3, 4)).sum().item())\n"
PARSER = "import argparse\nimport torch\np = argparse.ArgumentParser()\n"


def kinds(trace):
    return [item.kind for item in trace.assumptions]


@pytest.mark.parametrize("way", ["open('settings/small.yml')", "open(os.path.join('settings', 'small.yml'))"])
def test_a_script_is_run_from_the_folder_that_its_files_are_named_from(way, run, tmp_path):
    below = f"import os\nimport torch\nwidth = int({way}.read())\ntorch.nn.Linear(width, 2)(torch.ones(3, width))\n"
    files = {"README.md": "", "settings/small.yml": "6", "jobs/inner/fit.py": below}
    text = "import runpy\nrunpy.run_path('jobs/inner/fit.py')\n"
    assert run(text, files=files, probe=False).outcome.state == "complete"
    from shapewright.checking import examine

    trace, diagnosis = examine(str(tmp_path / "jobs/inner/fit.py"), cwd=str(tmp_path / "settings"), lang="en")
    assert trace.outcome.state == "complete" and "run-from" in kinds(trace), diagnosis.reason
    assert any(str(tmp_path) in note.note for note in diagnosis.assumptions if note.kind == "run-from")


def test_for_a_file_that_lies_nowhere_no_other_folder_is_taken(run):
    trace = run("import torch\nopen('settings/other.yml')\n", files={"README.md": ""}, probe=False)
    told = [item for item in trace.assumptions if "other.yml" in str(item.fields)]
    assert told and "run-from" not in kinds(trace)


@pytest.mark.parametrize("name", ["jobs/large/params.json", "params.example.json", "params.json.template"])
def test_settings_that_lie_nowhere_are_read_from_others_of_their_name(name, run):
    text = "import json\nimport torch\nwidth = json.load(open('jobs/first/params.json'))['width']\n"
    files = {"README.md": "", name: '{"width": 6}', "other.json": "[]"}
    trace = run(text + "torch.nn.Linear(width, 2)(torch.ones(3, 6))\n", files=files, probe=False)
    told = [item.fields["other"] for item in trace.assumptions if item.kind == "file-alike"]
    assert trace.outcome.state == "complete" and told[0].endswith(name), trace.outcome


@pytest.mark.parametrize("reading", ["json.load(open(a.settings))", "json.loads(open(a.settings).read())"])
def test_settings_of_any_name_are_those_that_have_what_the_script_asks_for(reading, run):
    text = f"import json\n{PARSER}p.add_argument('settings')\na = p.parse_args()\nwidth = {reading}['width']\n"
    files = {"README.md": "", "site.json": '{"pages": []}', "jobs/fit.json": '{"width": 6}'}
    trace = run(text + "torch.nn.Linear(width, 2)(torch.ones(3, 6))\n", files=files, probe=False)
    told = [item.fields["other"] for item in trace.assumptions if item.kind == "file-alike"]
    assert trace.outcome.state == "complete" and told[0].endswith("jobs/fit.json"), trace.outcome


def test_what_a_command_leaves_open_is_made_up_where_each_does(tmp_path):
    (tmp_path / "fit.py").write_text("")
    (tmp_path / "README.md").write_text("python fit.py \\\n    --ranks 2 [--quick] \\\n    [your folder of pictures]\n")
    assert [words for _, words in commands(str(tmp_path / "fit.py"))] == [("--ranks", "2", "data")]
    (tmp_path / "RUN.md").write_text("readme: python fit.py --ranks 4 pictures\n")
    assert [words for _, words in commands(str(tmp_path / "fit.py"))] == [("--ranks", "4", "pictures")]


ARGUED = {
    "counted": "p.add_argument('--ways')\na = p.parse_args()\nwidth = int(a.ways) * 2\n",
    "looked up": "p.add_argument('--set')\na = p.parse_args()\nwidth = {'birds': 4, 'cars': 8}[a.set]\n",
    "looked up by name": "p.add_argument('--set')\na = p.parse_args()\nSIZES = {'birds': 4, 'cars': 8}\nwidth = SIZES[a.set]\n",
    "refused": "p.add_argument('--set', default='toys')\na = p.parse_args()\nif a.set == 'BIRDS':\n    width = 4\n"
    "elif a.set == 'CARS':\n    width = 8\nelse:\n    raise ValueError('no such set')\n",
}


@pytest.mark.parametrize("name", ARGUED)
def test_an_argument_that_the_script_goes_nowhere_without_is_given(name, run):
    trace = run(PARSER + ARGUED[name] + "torch.nn.Linear(width, 2)(torch.ones(3, width))\n", probe=False)
    assert trace.outcome.state == "complete" and "argument-filled" in kinds(trace), trace.outcome


def test_a_failure_that_no_argument_mends_stays_what_it_is(run):
    text = PARSER + "p.add_argument('--note')\na = p.parse_args()\nprint(a.note, {}['gone'])\n" + LAYER
    trace = run(text, probe=False)
    assert trace.failure.kind == "KeyError" and "argument-filled" not in kinds(trace)


@pytest.mark.parametrize(
    "reading, told",
    [
        ("os.environ['MODEL_HOME']", ["data"]),
        ("int(os.environ['TOTAL_STEPS'])", ["1"]),
        ("os.path.join(os.environ.get('MODEL_HOME'), 'x')", ["data"]),
        ("os.path.join(os.getenv('MODEL_HOME'), 'x')", ["data"]),
        ("os.environ.get('MODEL_HOME', 'here')", []),
        ("'MODEL_HOME' in os.environ", []),
    ],
)
def test_a_variable_that_nobody_set_is_made_up_where_it_is_needed(reading, told, run):
    trace = run(f"import os\nimport torch\nprint({reading})\n" + LAYER, probe=False)
    made = [item.fields["value"] for item in trace.assumptions if item.kind == "variable-filled"]
    assert trace.outcome.state == "complete" and made == told, trace.outcome


def test_a_variable_that_the_script_does_without_stays_unset(run):
    text = "import os\nimport torch\ntry:\n    home = os.environ['MODEL_HOME']\nexcept KeyError:\n    home = 'none'\n"
    trace = run(text + "print(home)\n" + LAYER, probe=False)
    assert "none" in trace.output and "variable-filled" not in kinds(trace)


SECOND = {
    "items": "for key, value in {'a': 1}.iteritems():\n    print(key)\n",
    "range": "for i in xrange(2):\n    print(i)\n",
    "keys": "first = {'a': 1}.keys()[0]\n",
    "row": "import numpy as np\nrow = np.zeros(2)\nrow[:] = map(float, ['1', '2'])\n",
}


@pytest.mark.parametrize("name", SECOND)
def test_what_only_python_2_runs_is_read_as_python_3(name, run):
    trace = run("import torch\n" + SECOND[name] + LAYER, probe=False)
    told = [item for item in trace.assumptions if item.kind == "old-interface"]
    assert trace.outcome.state == "complete" and told and told[0].fields["old"] == "Python 2", trace.outcome


def test_another_type_error_is_none_of_python_2(run):
    trace = run("import torch\nprint(len(5))\n" + LAYER, probe=False)
    assert trace.failure.kind == "TypeError" and "old-interface" not in kinds(trace)


AGES = {
    "namedtuple": "from collections import namedtuple\nKept = namedtuple('Kept', ['x'], verbose=False)\n"
    "import pickle\npickle.loads(pickle.dumps(Kept(1)))\n",
    "clock": "import time\nbegan = time.clock()\n",
    "json": "import json\njson.loads('{}', encoding='utf-8')\n",
    "sample": "import random\nrandom.sample({1, 2, 3}, 2)\n",
    "pickle": "import cPickle as pickle\npickle.loads(pickle.dumps(1))\n",
}


@pytest.mark.parametrize("name", AGES)
def test_what_python_gave_up_is_read_as_what_it_is_now(name, run):
    trace = run("import torch\n" + AGES[name] + LAYER, probe=False)
    assert trace.outcome.state == "complete" and "old-interface" in kinds(trace), trace.outcome


def test_parts_that_an_installed_library_has_no_more_are_named_where_a_tensor_needs_them(run):
    text = "import torch\nfrom torch._six import inf, string_classes\nimport torch.legacy.nn as old\n"
    assert run(text + "assert isinstance('a', string_classes)\n" + LAYER, probe=False).outcome.state == "complete"
    trace = run(
        text + "m = old.Linear(4, 2)\ntorch.nn.Linear(2, 1)(m.forward(net_in := torch.ones(3, 4)))\n", probe=False
    )
    assert trace.outcome.reason == "missing-module" and trace.outcome.fields["module"].startswith("torch.legacy")


def test_parts_of_python_that_an_absent_library_would_have_imported_are_there(run):
    text = "import logging\nimport torch\nimport no_such_tracker\nlogging.config.dictConfig({'version': 1})\n"
    assert run(text + LAYER, probe=False).outcome.state == "complete"


def test_a_folder_is_made_where_the_folder_above_it_is_not_there(run):
    text = "import os, pathlib\nimport torch\nos.mkdir('runs/first')\nos.mkdir('alone/')\npathlib.Path('kept/first').mkdir()\n"
    trace = run(text + "pathlib.Path('a/b').mkdir(parents=True)\n" + LAYER, probe=False)
    told = [item.fields["folder"] for item in trace.assumptions if item.kind == "folder-absent"]
    assert trace.outcome.state == "complete" and told == ["runs", "kept"]


def test_an_export_without_its_exporter_ends_nothing(run, monkeypatch):
    text = "import sys\nimport torch\nsys.modules['onnxscript'] = None\nnet = torch.nn.Linear(4, 2)\n"
    trace = run(text + "torch.onnx.export(net, torch.ones(1, 4), 'net.onnx')\n" + LAYER, probe=False)
    assert trace.outcome.state == "complete", trace.outcome


def test_a_share_of_so_many_accelerators_as_none_is_asked_where_there_is_one(run):
    text = "import torch\ncount = torch.cuda.device_count()\nshare = 64 // count\n"
    trace = run(text + "torch.nn.Linear(4, 2).cuda()(torch.ones(share, 4).cuda())\n", probe=False)
    assert trace.outcome.state == "complete" and "cuda-simulated" in kinds(trace)


def test_a_logger_that_is_not_installed_is_no_data(run):
    text = "import torch\nfrom no_such_board import Writer\nwriter = Writer('runs')\nnet = torch.nn.Linear(4, 2)\n"
    trace = run(text + "for _ in range(3):\n    loss = net(torch.ones(3, 4)).mean()\n    loss.backward()\nint('x')\n")
    assert trace.outcome.reason == "exception" and "stand-in-values" not in kinds(trace)


def notebook(cells):
    made = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 2})


def test_lines_of_a_notebook_that_are_for_its_shell_are_passed_over(resident, tmp_path):
    from shapewright.checking import examine

    cells = ["cd work/My\\ Drive", "ls", "pip install torch\nimport torch\n%time net = torch.nn.Linear(4, 2)", LAYER]
    (tmp_path / "a.ipynb").write_text(notebook(cells))
    trace, diagnosis = examine(str(tmp_path / "a.ipynb"), resident=resident)
    assert trace.outcome.state == "complete", diagnosis.reason


def test_a_notebook_of_python_2_is_read_as_python_3(resident, tmp_path):
    from shapewright.checking import examine

    (tmp_path / "a.ipynb").write_text(notebook(["import torch\nprint 'begin'", LAYER, "print 'end', 1"]))
    trace, diagnosis = examine(str(tmp_path / "a.ipynb"), resident=resident)
    assert trace.outcome.state == "complete" and "old-interface" in kinds(trace), diagnosis.reason


@pytest.mark.parametrize("option, again", [("'--kind', default='small'", False), ("'--kind'", True)])
def test_a_script_is_given_what_may_be_left_out_only_where_something_was(option, again, run):
    from shapewright.run.ending.started import as_started
    from shapewright.run.process.request import RunRequest

    failed = run(f"{PARSER}p.add_argument({option})\na = p.parse_args()\nprint(a.kind)\n{{}}['gone']\n", probe=False)
    asked = []
    as_started(RunRequest("a.py"), failed, lambda request: asked.append(request.guess.chosen) or failed)
    assert asked == [True] * again


def test_a_model_may_keep_something_else_under_the_name_parameters(run):
    text = "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    text += "        self.parameters, self.out = [], torch.nn.Linear(4, 2)\n        self.parameters += self.kept()\n"
    text += "    def kept(self):\n        return list(self.out.parameters())\n"
    trace = run(text + "    def forward(self, x):\n        return self.out(x)\nnet = Net()\nnet(torch.ones(3, 4))\n")
    assert trace.outcome.state == "complete", trace.outcome


CHECKED = """
SIZES = {'small': 4, 'large': 8}
def size_of(kind):
    if kind not in SIZES:
        raise LookupError(f'no model {kind}')
    return SIZES[kind]
def loss_of(what):
    if what.lower() == 'mse' or what.startswith('l1'):
        return torch.nn.MSELoss()
    sys.exit(1)
p.add_argument('model')
p.add_argument('--loss', required=True)
p.add_argument('--kind', default='hidden')
p.add_argument('--masked', action='store_true')
p.add_argument('--out')
a = p.parse_args()
assert os.cpu_count() >= 32
if a.kind in ['hidden'] and not a.masked:
    raise ValueError('--masked is needed')
assert a.out is not None
loss_of(a.loss)(torch.nn.Linear(size_of(a.model), 2)(torch.ones(3, 4)), torch.ones(3, 2)).backward()
"""


def test_what_was_made_up_for_an_argument_is_one_of_those_that_the_script_accepts(run):
    trace = run("import os, sys\n" + PARSER + CHECKED, probe=False)
    assert trace.outcome.state == "complete", trace.outcome
    filled = {item.fields["value"] for item in trace.assumptions if item.kind == "argument-filled"}
    assert filled == {"small", "mse", "True", "data"}


@pytest.mark.parametrize(
    "asked, given", [("'Workshop-v3'", "seen"), ("'Workshop-v3'", "torch.ones(17)"), ("a.world", "seen")]
)
def test_an_environment_that_nobody_knows_has_any_spaces_and_is_named_where_others_are_counted_on(asked, given, run):
    text = PARSER + "p.add_argument('--world', required=True)\na = p.parse_args()\nimport gym\n"
    text += f"e = gym.make({asked})\nseen = torch.tensor(e.reset())\n"
    trace = run(text + f"torch.nn.Linear(e.observation_space.shape[0], 2)({given})\n", probe=False)
    if given == "seen":
        assert trace.outcome.state == "complete", trace.outcome
        assert ("stand-in-spaces" in kinds(trace)) == (asked != "a.world")
    else:
        assert (trace.outcome.reason, trace.outcome.fields["name"]) == ("missing-environment", "Workshop-v3")


HALVES = """
import torch
net = torch.nn.Linear(8 / 2, 1)
x = torch.ones(6, 4)
n = 6
n /= 4
print(net(x[: len(x) / 4]).shape, n, 6 / 4.0)
"""


def test_a_quotient_of_two_integers_is_an_integer_in_a_script_of_that_age_alone(run):
    assert run(HALVES, probe=False).failure is not None
    trace = run("from __future__ import print_function\n" + HALVES, probe=False)
    assert trace.outcome.state == "complete" and "torch.Size([1, 1]) 1 1.5" in trace.output, trace.outcome
    assert any(item.fields.get("new") == "//" for item in trace.assumptions)
