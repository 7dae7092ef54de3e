"""Reads the probes' answers for the rules: which kind of operator mixed the samples, where its module was made, how a
line reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import ops
from ..trace import (
    Axis,
    BatchIndependence,
    Causality,
    Event,
    ModuleFact,
    Origin,
    PaddingInvariance,
    ProbeFact,
    Site,
    TensorFact,
    Trace,
)

RECURRENT = ops.named("recurrent")
ATTENTION = ops.named("attends")


def mixed(trace: Trace, kind: str) -> Iterator[ProbeFact[BatchIndependence]]:
    """The models whose samples are mixed by an operator of this kind, one answer a place."""
    first = kind == "placing" and _batch_first(trace)
    return (
        answer
        for answer in trace.answers(BatchIndependence)
        if answer.site is not None and mixer(replace(answer.data, certain=answer.data.certain or first)) == kind
    )


def _batch_first(trace: Trace) -> bool:
    """Whether all layers that read sequences were told that the batch comes first."""
    told = [one.config["batch_first"] for one in trace.modules.values() if "batch_first" in one.config]
    return bool(told) and all(told)


def unplayed(trace: Trace, names: frozenset[str]) -> Iterator[tuple[Event, Axis]]:
    """Where models cannot be played since the run had shapes alone: calls of layers that want time first, and get the
    batch that a DataLoader made in its place, with another axis after it that may be time; one a place, with that batch
    axis."""
    seen = set()
    for event in trace.events if trace.engine == "dry" else ():
        if event.op not in names or event.site is None or event.site in seen or not event.modules:
            continue
        given, layer = event.args[0] if event.args else None, trace.modules.get(event.modules[-1])
        if (
            not isinstance(given, TensorFact)
            or len(given.axes) != 3
            or layer is None
            or (event.op in RECURRENT and layer.config.get("batch_first"))
        ):
            continue
        first, second, _ = given.axes
        if (
            first.role == "batch"
            and first.origin is not None
            and first.origin.kind == "loader"
            and first.size > 1
            and second.size > 1
            and second.role != "batch"
        ):
            seen.add(event.site)
            yield event, first


def mixer(data: BatchIndependence) -> str:
    """What kind of operator mixed the samples: `recurrent`, `attention`, `competing`, `gluing`, `placing`, `joining`,
    `averaging`, `stepping`, or empty where the mixing may be meant: one sequence without a batch axis, attention among
    the samples, in-batch statistics."""
    op, certain, before, axes = data.op, data.certain, data.before, data.axes
    if not certain and data.other_axis not in ("mixed", "reduced"):
        return ""  # the other axis may be the batch, or there is none that was seen to be anything else
    shapes = [fact.shape for fact in data.args if isinstance(fact, TensorFact) and fact.shape]
    if op in RECURRENT:
        alone = not shapes or len(shapes[0]) < 3 or 1 in shapes[0][:2]
        return "recurrent" if not alone or (certain and data.batch > 1 and len(shapes[0]) == 3) else ""
    if op in ATTENTION:
        return "attention" if shapes and len(shapes[0]) >= 3 and 1 not in shapes[0][:-1][:2] else ""
    if ops.is_a(op, "competes"):
        square = [shape for shape, cut in before if len(cut) >= 2]
        if square or any(len(cut) >= 2 for cut in axes):
            shape = square[0] if square else data.shape[0]
            return "attention" if len(shape) > 2 and shape[0] > 1 and (certain or data.other_axis == "mixed") else ""
        return "competing" if certain or before else ""
    if ops.is_a(op, "folds"):
        return "gluing"
    if ops.is_a(op, "steps") or op.startswith("fft_"):
        return "stepping" if certain and data.every and (op.startswith("fft_") or _steps(data)) else ""
    if ops.is_a(op, "places") and not before:
        # with a second axis that is read as time, positions along the first are no positions in time
        return "placing" if certain or data.other_axis in ("mixed", "reduced") else ""
    if ops.is_a(op, "totals", "extremes", "soft_extremes"):
        return "averaging" if certain and data.statistics == 1 and before and not any(axes) else ""
    if ops.is_a(op, "measures"):
        return "averaging" if certain and before and not any(axes) else ""
    if ops.is_a(op, "arithmetic", "concatenates", "chooses") and certain and len(before) >= 2:
        return "joining"
    return ""


def _steps(data: BatchIndependence) -> bool:
    """Whether the operator's operand has, beside the samples, an axis that no layer made: time, as it came in."""
    fact = next((fact for fact in data.args if isinstance(fact, TensorFact) and fact.shape), None)
    rank = fact.rank if fact is not None else len(data.shape[0]) if data.shape else 0
    return rank >= 3 or (
        rank == 2
        and fact is not None
        and fact.sizes[1] > 1
        and len(fact.axes) == 2
        and not (fact.axes[1].origin is not None and fact.axes[1].origin.kind == "constructor")
    )


def numbers(answer: ProbeFact[BatchIndependence]) -> dict[str, object]:
    """What a message shows of an answer about mixing: `batch`, `changed`, `of`, `model`, `largest`."""
    data = answer.data
    return {
        "batch": data.batch,
        "changed": len(data.changed),
        "of": data.of,
        "model": data.model,
        "largest": f"{data.largest:.3g}",
    }


def along(data: BatchIndependence) -> tuple[int, tuple[int, ...]]:
    """The axis of the samples in what the operator was given, and the shape that it has in a whole batch."""
    axis, shape = next((cut[0] for cut in data.axes if cut), 0), next(iter(data.shape), ())
    return axis, tuple(data.batch if d == axis else size for d, size in enumerate(shape))


def evidence(answer: ProbeFact[BatchIndependence]) -> str:
    """The `why` entry that fits: `why` where another sample in place 0 changed others, `alone` where only leaving
    samples out did."""
    return "why" if answer.data.changed else "alone"


def severity(answer: ProbeFact[BatchIndependence]) -> str:
    """An error where the batch axis is certain, else a warning."""
    return "error" if answer.data.certain else "warning"


def made(trace: Trace, answer: ProbeFact[BatchIndependence | PaddingInvariance | Causality]) -> tuple[Origin, ...]:
    """Where the module that called the operator was constructed."""
    return constructed(trace, answer.data.modules)


def constructed(trace: Trace, modules: tuple[int, ...]) -> tuple[Origin, ...]:
    """Where the innermost of these modules was constructed, if torch brings its class."""
    fact = trace.modules.get(modules[-1]) if modules else None
    return constructor(trace, fact) if fact is not None and fact.is_torch else ()


def constructor(trace: Trace, module: ModuleFact | None) -> tuple[Origin, ...]:
    """Where a module was constructed, if that is known."""
    site = module.site if module is not None else None
    return (Origin("constructor", line_of(trace, site), site, module.stack),) if module is not None and site else ()


def line_of(trace: Trace, site: Site | None) -> str:
    """The source of a site on one line, shortened."""
    if site is None:
        return ""
    lines = trace.sources.get(site.file, "").split("\n")[site.line - 1 : max(site.line, site.end_line)]
    text = " ".join(part.strip() for part in lines)
    if site.end_line <= site.line and site.end_column > site.column and lines:
        text = lines[0][site.column - 1 : site.end_column - 1]
    return text if len(text) <= 80 else text[:77] + "..."


def padded(trace: Trace, *kinds: str) -> Iterator[tuple[str, ProbeFact[PaddingInvariance]]]:
    """The models whose answer depends on padding that an operator of one of these kinds lets in, kind by kind, one a
    place."""
    answers = [(admits(answer.data), answer) for answer in trace.answers(PaddingInvariance) if answer.site is not None]
    return ((kind, answer) for kind in kinds for admitted, answer in answers if admitted == kind)


def admits(data: PaddingInvariance) -> str:
    """What lets padding in: `last` (a step read at the end, a final state), `average`, `divided` (by a plain number,
    the padded length), `extreme` (which may be meant, too), `attention`, `reverse` (a backward pass that begins in the
    padding), or empty where it may be meant (convolutions at the edge, outputs at padding itself)."""
    op = data.op
    cut = [axes for _, axes in data.before if axes]
    left = [axes for _, axes in data.after]
    if op in RECURRENT:
        return "last" if 0 not in data.leaf else "" if data.token else "reverse"
    if ops.is_a(op, "reads") and (cut or not data.before) and left and not left[0] and not data.token:
        return "last"
    if ops.is_a(op, "totals", "averages_space", "spreads", "soft_extremes") and cut and left and not left[0]:
        return "average"
    if ops.is_a(op, "extremes") and cut and left and not left[0]:
        return "extreme"
    if ops.is_a(op, "divides") and len(data.before) == 1 and not cut and not any(left) and not data.token:
        return "divided"
    if op in ATTENTION or (ops.is_a(op, "softmaxes") and cut):
        return "attention"
    return ""


def padding_numbers(trace: Trace, answer: ProbeFact[PaddingInvariance]) -> dict[str, object]:
    """What a message shows of an answer about padding: `length`, `padded`, `alone`, `together`, `largest`, `scale`,
    `model`, `source`."""
    data = answer.data
    fields = {name: f"{getattr(data, name):.4g}" for name in ("alone", "together", "largest", "scale")}
    return {
        "length": data.length,
        "padded": data.padded,
        "model": data.model,
        "source": line_of(trace, answer.site) if answer.site is not None else "",
        **fields,
    }


def padding_origins(trace: Trace, answer: ProbeFact[PaddingInvariance]) -> tuple[Origin, ...]:
    """Where the padding was done, and where the module that lets it in was made."""
    where = answer.data.where
    found = (Origin("padding", line_of(trace, where), where),) if where is not None else ()
    return found + made(trace, answer)
