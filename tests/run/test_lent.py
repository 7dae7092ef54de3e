"""What a script lends to libraries that are not installed, and what it takes from arguments that were not given."""

import pytest

from shapewright.checking import examine

LENT = """
import torch
{imports}
net = torch.nn.Linear(4, 2)
optimizer = {optimizer}
{before}
for rows in torch.utils.data.DataLoader(torch.randn(40, 4), batch_size=8):
    loss = net(rows).pow(2).mean()
    {training}
    {after}
print(net(torch.randn(3, 4)).shape)
"""
STEPS = "optimizer.zero_grad(); loss.backward(); optimizer.step()"
SGD = "torch.optim.SGD(net.parameters(), lr=0.1)"


def lent(imports, optimizer=SGD, before="", training=STEPS, after=""):
    return LENT.format(imports=imports, optimizer=optimizer, before=before, training=training, after=after)


def judged(resident, tmp_path, text):
    (tmp_path / "train.py").write_text(text)
    return examine(str(tmp_path / "train.py"), resident=resident)


@pytest.mark.parametrize(
    ("imports", "optimizer"),
    [
        ("from surely_absent import Lion", "Lion(net.parameters(), lr=1e-3, betas=(0.9, 0.99))"),
        ("from surely_absent.optim import Lion", "Lion([{'params': net.parameters(), 'decay': 0.1}], lr=1e-3)"),
        ("import surely_absent as s", "s.optim.fused_lion(list(net.parameters()), lr=1e-3)"),
    ],
)
def test_an_optimizer_of_an_absent_library_is_one_of_torch_s(imports, optimizer, resident, tmp_path):
    plan = "plan = torch.optim.lr_scheduler.StepLR(optimizer, 2)"
    trace, diagnosis = judged(resident, tmp_path, lent(imports, optimizer, plan, after="plan.step()"))
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert [item.fields["name"] for item in trace.assumptions if item.kind == "stand-in-optimizer"] in (
        ["Lion"],
        ["fused_lion"],
    )
    _, diagnosis = judged(resident, tmp_path, lent(imports, optimizer, training="loss.backward()"))
    assert [finding.code for finding in diagnosis.findings] == ["SW304"]


def test_parameters_without_a_learning_rate_make_no_optimizer(resident, tmp_path):
    text = lent("from surely_absent import Average", "Average(net.parameters(), decay=0.9)")
    assert judged(resident, tmp_path, text)[0].outcome.fields["module"] == "surely_absent"


def test_what_a_library_does_beside_the_training_is_passed_over(resident, tmp_path):
    before = "plan = s.Warmup(optimizer, steps=10)\naverage = s.Average(net)\nprint(s.summary(net, (4,)))"
    text = lent("import surely_absent as s", before=before, after="plan.step(); average.update()")
    _, diagnosis = judged(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason


def test_what_a_library_trains_is_not_checked(resident, tmp_path):
    before = "trainer = s.Trainer(net, optimizer)\ntrainer.fit(torch.randn(40, 4))"
    text = lent("import surely_absent as s", before=before, training="pass")
    trace, diagnosis = judged(resident, tmp_path, text)
    assert trace.outcome.reason == "missing-module" and not diagnosis.findings
    text = lent("import surely_absent as s", before="pace = s.Pace(optimizer)", training="loss.backward(); pace.step()")
    trace, diagnosis = judged(resident, tmp_path, text)
    assert trace.outcome.reason == "missing-module" and not diagnosis.findings


def test_a_bar_around_a_series_goes_through_it(resident, tmp_path):
    text = lent("from surely_absent import track").replace("in torch.utils.data.DataLoader(", "in track(DATA(")
    text = text.replace("batch_size=8)", "batch_size=8), description='training')")
    text = text.replace(
        "net = ", "DATA = torch.utils.data.DataLoader\nfor at in track(range(3)):\n    print(at)\nnet = "
    )
    trace, diagnosis = judged(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert trace.output.startswith("0\n1\n2\n")
    _, diagnosis = judged(resident, tmp_path, text.replace("torch.randn(40, 4)", "torch.randn(40, 5)"))
    assert diagnosis.outcome != "complete"


CHOSEN = """
import argparse, os, torch
parser = argparse.ArgumentParser()
parser.add_argument("--data"{required})
parser.add_argument("--note")
parser.add_argument("--folder", type=str)
parser.add_argument("--resume", type=str)
given = parser.parse_args()
def rows():
    if given.data in ["tall", "wide"]:
        if given.data == "tall":
            found = torch.randn(20, 3)
        elif given.data == "wide":
            found = torch.randn(4, 30)
    return found
if given.note == "never":
    raise SystemExit("a note")
if given.resume:
    raise SystemExit("not asked for")
print(os.path.basename(given.folder or "") if {none} else os.path.basename(given.folder))
print(torch.nn.Linear(3, 1)(rows()).shape)
"""


def test_an_argument_takes_a_value_that_the_script_compares_it_with(run):
    for required in (", required=True", ""):
        trace = run(CHOSEN.format(required=required, none=True))
        assert trace.outcome.state == ("complete" if required else "incomplete"), trace.outcome


def test_without_a_default_only_where_a_branch_would_have_bound_what_is_lacking(resident, tmp_path):
    text = (
        CHOSEN.format(required="", none=False)
        .replace('given.folder or ""', '""')
        .replace('if given.note == "never":\n    raise SystemExit("a note")\n', "")
    )
    trace, diagnosis = judged(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    told = [item.fields["value"] for item in trace.assumptions if item.kind == "argument-filled"]
    assert told == ["tall", "data"]
    _, diagnosis = judged(resident, tmp_path, text.replace("found = torch", "other = torch"))
    assert diagnosis.outcome == "incomplete"


def test_a_constant_of_an_absent_library_names_it_and_a_type_of_arguments_is_none(run):
    text = "import torch\nfrom surely_absent import Rows\n{}\nprint(torch.randn(3).sum())\n"
    typed = 'def total(given: Rows[torch.Tensor, "rows"]) -> Rows | None:\n    return given.sum() if Rows else 0'
    assert run(text.format(typed)).outcome.state == "complete"
    for use in ("len(Rows)", "range(Rows + 1)", "torch.zeros(Rows)", "list(Rows)"):
        outcome = run(text.format(use)).outcome
        assert (outcome.reason, outcome.fields.get("module")) == ("missing-module", "surely_absent"), (use, outcome)


def test_the_checkpoint_of_an_argument_that_is_empty_is_absent(run):
    text = "import argparse, torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--ckpt', default='')\n"
    text += (
        "given, net = parser.parse_args(), torch.nn.Linear(3, 1)\nheld = torch.load(given.ckpt, map_location='cpu')\n"
    )
    trace = run(text + "net.load_state_dict(held['model'])\nprint(net(torch.randn(2, 3)))\n")
    assert trace.outcome.state == "complete", trace.outcome
    assert [item.fields["file"] for item in trace.assumptions] == ["''"]
    assert run("open('').read()\n").outcome.state == "incomplete"


def test_what_the_value_of_an_argument_shows_to_be_missing_is_told(resident, tmp_path):
    text = CHOSEN.format(required="", none=True).replace(
        'if given.note == "never":\n    raise SystemExit("a note")\n', ""
    )
    _, diagnosis = judged(resident, tmp_path, text.replace("torch.randn(20, 3)", "tables.tall()"))
    assert diagnosis.outcome == "incomplete" and "tables" in diagnosis.reason, diagnosis.reason
