"""The module tree with shapes and parameters, and the training step from data to optimizer, with the fault's place."""

from __future__ import annotations

import math
from html import escape

from ...dataclass import dataclass
from ...diagnosis.excerpt import event_of
from ...graph.flow import REGRESSION_LOSSES, TARGET_LOSSES, tensors
from ...trace import Axis, Event, ModuleFact, Site, StepFact, Trace
from .sheet import Sheet
from .words import word

MOST, UNFOLDED = 80, 25  # modules that are shown, and shown unfolded
SIZES: tuple[str, ...] = ("in_features", "out_features", "in_channels", "out_channels", "kernel_size", "input_size")
SIZES += (
    "hidden_size",
    "num_embeddings",
    "embedding_dim",
    "normalized_shape",
    "num_features",
    "embed_dim",
    "num_heads",
)


def tree(sheet: Sheet) -> str:
    """The modules that the script made, those inside others below them."""
    trace = sheet.trace
    if trace is None or not trace.modules:
        return ""
    modules = _nested(trace)[:MOST]
    made = _outputs(trace)
    faulty = _faulty_module(sheet)
    rows = "".join(_module(module, made.get(module.uid), faulty, sheet) for module in modules)
    lang = sheet.lang
    heads = "".join(f'<th scope="col">{escape(word(name, lang))}</th>' for name in ("module", "output", "parameters"))
    title, unfolded = escape(word("modules", lang)), " open" if len(modules) <= UNFOLDED else ""
    return (
        f'<details class="modules"{unfolded}><summary>{title}</summary><div class="wide" '
        f'tabindex="0" role="region" aria-label="{title}"><table><thead><tr>{heads}</tr>'
        f"</thead><tbody>{rows}</tbody></table></div></details>"
    )


def _outputs(trace: Trace) -> dict[int, Event]:
    """By module, the last event within its first call; nothing of a module that failed in it."""
    failure = trace.failure
    last = failure and (failure.event or next((e for e in reversed(trace.events) if failure.module in e.modules), None))
    inside = {failure.module, *(last.modules if last else ())} if failure else set()
    found: dict[int, Event] = {}
    returned: set[int] = set()
    for event in trace.events:
        returned |= found.keys() - set(event.modules)
        found.update((uid, event) for uid in event.modules if uid not in returned)
    return {uid: event for uid, event in found.items() if uid in returned or uid not in inside}


def _nested(trace: Trace) -> list[ModuleFact]:
    """The modules of each outermost one behind it, in the order of their paths."""
    roots = {uid: event.modules[0] for event in trace.events for uid in event.modules}
    outermost = [module.uid for module in trace.modules.values() if not module.path]
    called = {module.path: roots[module.uid] for module in trace.modules.values() if module.uid in roots}
    for module in trace.modules.values():
        below = next((root for path, root in called.items() if path.startswith(f"{module.path}.")), None)
        roots.setdefault(module.uid, module.uid if not module.path else below or (outermost or [module.uid])[0])

    def order(module: ModuleFact) -> tuple[int, list[tuple[int, str]]]:
        parts = module.path.split(".") if module.path else []
        return roots[module.uid], [(int(part), "") if part.isdigit() else (-1, part) for part in parts]

    made = list(trace.modules.values())
    return sorted(made, key=lambda module: (*order(module), made.index(module)))


def _module(module: ModuleFact, event: Event | None, faulty: int, sheet: Sheet) -> str:
    depth = module.path.count(".") + 1 if module.path else 0
    sizes = ", ".join(
        f"{name}={module.config[name]}" for name in SIZES if module.config.get(name) not in (None, False, "")
    )
    result = event.result if event is not None else None
    shape = next((fact for fact in tensors(result)), None)
    output = sheet.shape(sheet.book.axes(shape)) if shape is not None and sheet.book else ""
    count = sum(math.prod(size) for _, size in module.parameters)
    held = ", ".join(f"{name} {'×'.join(map(str, size))}" for name, size in module.parameters)
    name = module.path.rpartition(".")[2]
    state = ' class="fault"' if module.uid == faulty else ""
    return (
        f'<tr{state}><th scope="row" style="--depth:{depth}">{f"<i>{escape(name)}</i> " if name else ""}'
        f"{escape(module.kind)}<small>{escape(f'({sizes})' if sizes else '')}</small> "
        f'{sheet.line(module.site)}</th><td>{output}</td><td title="{escape(held)}">{f"{count:,}" if count else ""}'
        "</td></tr>"
    )


def _faulty_module(sheet: Sheet) -> int:
    trace, findings = sheet.trace, sheet.diagnosis.findings
    if trace is None or not findings or findings[0].facts is None:
        return -1
    event = event_of(findings[0].facts, trace)
    if event is not None and event.modules:
        return event.modules[-1]
    loud = findings[0].is_loud and trace.failure is not None
    return trace.failure.module if loud and trace.failure else -1


@dataclass(frozen=True)
class Box:
    """One station of the training step; `site` is `None` where the run did not get there."""

    title: str
    name: str
    site: Site | None
    axes: tuple[Axis, ...] | None = None


def step(sheet: Sheet) -> str:
    """The stations of one training step in order, the fault's one marked; empty where the script does not train."""
    trace = sheet.trace
    if trace is None or not any(one.kind in ("backward", "optimizer") for one in trace.steps):
        return ""
    boxes = _boxes(trace, sheet)
    faulty = _faulty_box(boxes, sheet)
    lang = sheet.lang
    drawn = []
    for at, box in enumerate(boxes):
        shape = sheet.shape(box.axes) if box.axes else ""
        where = sheet.line(box.site) or escape(word("not_reached", lang))
        state = "fault" if at == faulty else "" if box.site else "unreached"
        bad = f'<span class="bad">{escape(word("fault", lang))}</span>' if at == faulty else ""
        drawn.append(
            f'<li class="{state}"><b>{escape(box.title)}</b> <code>{escape(box.name)}</code>{shape}<small>{where}'
            f"</small>{bad}</li>"
        )
    return (
        f'<figure class="step"><figcaption><b>{escape(word("step", lang))}</b></figcaption><ol>{"".join(drawn)}</ol>'
        "</figure>"
    )


def _boxes(trace: Trace, sheet: Sheet) -> list[Box]:
    lang, book = sheet.lang, sheet.book
    backward = next((one for one in trace.steps if one.kind == "backward"), None)
    forward = _forward(trace, backward)
    loss = _loss(trace, backward)
    failed = trace.failure.module_args if trace.failure else ()
    given = next(tensors((forward.data["args"], forward.data["kwargs"]) if forward else failed), None)
    made = next(tensors(forward.data["result"]), None) if forward else None
    module = trace.modules.get(forward.data["module"]) if forward else None
    if module is None and trace.failure is not None:
        inner = trace.failure.module
        root = next((event.modules[0] for event in trace.events if inner in event.modules), inner)
        module = trace.modules.get(root)
    data = _bound(trace, given)
    failing = trace.failure.stack[0] if trace.failure and trace.failure.stack else None
    optimizer = next((one for one in trace.steps if one.kind == "optimizer"), None)
    stepped = next((one for one in trace.steps if one.kind == "step"), None)
    return [
        Box(word("data", lang), data[0], data[1], book.axes(given) if given and book else None),
        Box(
            word("model", lang),
            module.kind if module else "",
            forward.site if forward else failing,
            book.axes(made) if made and book and made.sizes else None,
        ),
        Box(word("loss", lang), loss.op if loss else "", loss.site if loss else None),
        Box("backward()", "", backward.site if backward else None),
        Box("step()", str(optimizer.data["class"]) if optimizer else "", stepped.site if stepped else None),
    ]


def _forward(trace: Trace, backward: StepFact | None) -> StepFact | None:
    """The last forward pass before the first backward pass."""
    found = [one for one in trace.steps if one.kind == "forward" and (backward is None or one.index < backward.index)]
    losses = {uid for uid, module in trace.modules.items() if "Loss" in "".join(module.config.get("bases", ()))}
    found = [one for one in found if one.data["module"] not in losses]
    return found[-1] if found else None


def _loss(trace: Trace, backward: StepFact | None) -> Event | None:
    kinds = TARGET_LOSSES | REGRESSION_LOSSES
    end = backward.data.get("at", len(trace.events)) if backward else len(trace.events)
    found = [event for event in trace.events[:end] if event.op in kinds]
    failed = trace.failure.event if trace.failure else None
    if failed is not None and failed.op in kinds:
        return failed
    if found:
        return found[-1]
    producer = backward.data["loss"].producer if backward and backward.data.get("loss") else -1
    return trace.event(producer)


def _bound(trace: Trace, given: object) -> tuple[str, Site | None]:
    uid = getattr(given, "uid", None)
    for one in trace.bound:
        if uid is not None and one.fact.uid == uid:
            return one.name, one.site
    loop = next((loop for loop in trace.loops if loop.trained), None)
    return "", loop.site if loop else trace.bound[0].site if trace.bound else None


def _faulty_box(boxes: list[Box], sheet: Sheet) -> int:
    findings, trace = sheet.diagnosis.findings, sheet.trace
    if not findings or findings[0].facts is None or trace is None:
        return -1
    event = event_of(findings[0].facts, trace)
    if event is not None and event.op in TARGET_LOSSES | REGRESSION_LOSSES:
        return 2
    site = findings[0].facts.site
    stack = {(one.file, one.line) for one in (event.stack if event else ())} | {(site.file, site.line)}
    for at in (2, 3, 4, 1, 0):
        box = boxes[at].site
        if box is not None and (box.file, box.line) in stack:
            return at
    if (event is not None and event.modules) or site.function == "forward":
        return 1
    return -1
