"""A hand-made trace of A1, and rules that read it, for tests of diagnosis and reports. No run is needed."""

from __future__ import annotations

import types
from dataclasses import replace

from shapewright.diagnosis import Diagnosis, Edit, Fix, Rejected, diagnose
from shapewright.rules import Facts, Rule, Span
from shapewright.settings import Settings
from shapewright.trace import Assumption, Axis, Binding, Event, Failure, Origin, Outcome, Site, TensorFact, Trace

SOURCE = (
    "\n" * 40
    + """def train(reward_model):
    preferred_reward = reward_model(**preferred_tokens)
    less_preferred_reward = reward_model(**less_preferred_tokens)
    labels = torch.ones(preferred_reward.size(0)).to(device)
    loss = reward_criterion(preferred_reward, less_preferred_reward, labels)
"""
)
MESSAGES = {
    "en": {
        "message": "{op} wants three tensors of one shape",
        "why": "the second axis is v_head's output, Linear(768, 1), rl.py:23",
    },
    "es": {
        "message": "{op} quiere tres tensores de la misma forma",
        "why": "el segundo eje es la salida de v_head, Linear(768, 1), rl.py:23",
    },
    "ja": {
        "message": "{op} には同じ形状のテンソルが 3 つ必要です",
        "why": "2 番目の軸は v_head の出力 Linear(768, 1) (rl.py:23) で、ラベルにはこの軸がありません",
    },
}


def site(line: int, column: int = 5, end: int = 0) -> Site:
    return Site("rl.py", line, column, line, end, "train")


HEAD = Origin("constructor", "Linear(768, 1)", Site("rl.py", 23, 9, 23, 40))
LOADER = Origin("loader", "DataLoader(batch_size=32)", Site("rl.py", 12, 1, 12, 30))
SCORES = (Axis(1, "batch"), Axis(1, "", HEAD))
MADE = (
    Event(0, "linear", site(42, 24, 56), (site(42, 24, 56),), result=TensorFact((1, 1), axes=SCORES)),
    Event(1, "linear", site(43, 29, 66), (site(43, 29, 66),), result=TensorFact((1, 1), axes=SCORES)),
    Event(2, "ones", site(44, 14, 60), (site(44),), result=TensorFact((1,), axes=(Axis(1, "batch"),))),
)
CALL = Event(
    3,
    "margin_ranking_loss",
    site(45, 12, 77),
    (site(45, 12, 77),),
    args=(
        TensorFact((1, 1), axes=SCORES, producer=0),
        TensorFact((1, 1), axes=SCORES, producer=1),
        TensorFact((1,), producer=2),
    ),
)
TRACE = Trace(
    "rl.py",
    Outcome("stopped", "fault", {"type": "RuntimeError", "line": "45", "message": "margin_ranking_loss"}, site(45)),
    seconds=1.4,
    events=MADE,
    failure=Failure("RuntimeError", "margin_ranking_loss", site(45, 12, 77), event=CALL),
    sources={"rl.py": SOURCE},
    bound=(
        Binding(site(42), "preferred_reward", TensorFact((1, 1))),
        Binding(site(43), "less_preferred_reward", TensorFact((1, 1))),
        Binding(site(44), "labels", TensorFact((1,))),
    ),
    assumptions=(Assumption("fewer-layers", {"name": "gpt2", "kept": "2", "real": "12"}, Site("rl.py", 11)),),
)
FACTS = Facts(
    site(45, 12, 77),
    fields={"op": "margin_ranking_loss"},
    origins=(HEAD, LOADER),
    cause="extra-axis",
    spans=(
        Span(site(45, 12, 28), "input1 (1, 1)"),
        Span(site(45, 12, 28), "input2 (1, 1)"),
        Span(site(45, 12, 28), "target (1)"),
    ),
)
FIX = Fix(
    "take that axis away where the scores are made",
    "safe",
    (1, 2, 5),
    (Edit("rl.py", 42, 56, 42, 56, ".squeeze(-1)"), Edit("rl.py", 43, 66, 43, 66, ".squeeze(-1)")),
    """--- rl.py
+++ rl.py
@@ -42,2 +42,2 @@
-    preferred_reward = reward_model(**preferred_tokens)
-    less_preferred_reward = reward_model(**less_preferred_tokens)
+    preferred_reward = reward_model(**preferred_tokens).squeeze(-1)
+    less_preferred_reward = reward_model(**less_preferred_tokens).squeeze(-1)
""",
    (Rejected(".squeeze()", "at batch 1 it leaves no axis at all (IndexError, line 44)"),),
)


class Bare(Rule):
    """A rule without scripts."""

    faulty = sound = ()


def rule(
    *facts: Facts,
    code: str = "SW101",
    slug: str = "three-shapes-differ",
    group: str = "loud",
    messages: dict | None = None,
    order: int = 50,
) -> Rule:
    """A rule that finds `facts`, whatever the trace."""
    module = types.SimpleNamespace(
        code=code,
        slug=slug,
        order=order,
        check=lambda trace: iter(facts),
        MESSAGES=messages or MESSAGES,
        __doc__="Three tensors differ.\n\n## What it finds\nA loss.\n\n## Example\n    loss(a, b, c)\n",
    )
    return Bare(code, slug, group, module)


def first(lang: str = "en", fix: bool = True) -> Diagnosis:
    """The diagnosis of A1 with a remark and its fix."""
    advice = rule(
        replace(FACTS, site=site(42, 5, 20), severity="remark", cause="", spans=(), origins=()),
        code="SW390",
        slug="advice",
        group="loop",
    )
    made = diagnose(TRACE, Settings(lang=lang), [rule(FACTS), advice])
    return made.with_findings(tuple(one.with_fixes((FIX,)) for one in made.findings)) if fix else made


def clean(lang: str = "en") -> Diagnosis:
    """A script that ran to its end."""
    return diagnose(Trace("ok.py", Outcome("complete"), seconds=0.9), Settings(lang=lang), [])


def unfinished(lang: str = "en") -> Diagnosis:
    """A script that could not be run."""
    return diagnose(
        Trace("gone.py", Outcome("incomplete", "missing-file", {"file": "gone.py"})), Settings(lang=lang), []
    )
