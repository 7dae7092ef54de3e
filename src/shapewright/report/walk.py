"""The shape-annotated reading of a script: its source, piece by piece, each line with the shapes that it makes.

Shapes are those of the first time that a line ran. Lines that did not run, and loops that were cut short, are marked as
such."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from ..diagnosis.excerpt import shapes_at
from ..diagnosis.paths import as_given
from ..trace import LoopFact, Trace
from .page import cut, wrapped
from .terminal import as_text

PIECES = {
    "class": {"en": "class {name}", "es": "clase {name}", "ja": "クラス {name}"},
    "function": {"en": "function {name}", "es": "función {name}", "ja": "関数 {name}"},
    "loop": {"en": "loop on line {line}", "es": "bucle en la línea {line}", "ja": "{line} 行目のループ"},
}
LOOPS = {
    "trained": {
        "en": "training loop; iterations run: {count}, the rest was skipped",
        "es": "bucle de entrenamiento; iteraciones ejecutadas: {count}, el resto se omitió",
        "ja": "学習ループ。{count} 回だけ実行し、残りは省略",
    },
    "cut": {
        "en": "iterations run: {count}, the rest was skipped",
        "es": "iteraciones ejecutadas: {count}, el resto se omitió",
        "ja": "{count} 回だけ実行し、残りは省略",
    },
    "whole": {"en": "iterations: {count}", "es": "iteraciones: {count}", "ja": "{count} 回実行"},
}
MODULES = {"en": "modules", "es": "módulos", "ja": "モジュール"}
TITLE = {
    "en": "{file}, line by line; the shapes are from the first time that each line ran",
    "es": "{file}, línea a línea; las formas son de la primera vez que se ejecutó cada línea",
    "ja": "{file} を 1 行ずつ、各行が最初に実行されたときの形状とともに示します",
}
FAILED = {"en": "the script stops here", "es": "aquí se detiene el script", "ja": "ここで停止"}


def render(trace: Trace, *, lang: str = "en", width: int = 100, color: bool = False) -> str:
    """The reading of every user file that ran, the script first."""
    lines: list[Text] = []
    for file, text in sorted(trace.sources.items(), key=lambda item: as_given(item[0], trace.script) != trace.script):
        lines += [*_file(file, text, trace, lang, width), Text("")]
    return as_text(lines, color)


def _file(file: str, text: str, trace: Trace, lang: str, width: int) -> Iterator[Text]:
    source = text.splitlines()
    gutter = len(str(len(source)))
    notes = _notes(text, file, trace, lang)
    title = TITLE[lang].format(file=as_given(file, trace.script))
    yield from (Text(line, style="bold") for line in wrapped(title, width))
    shapes = {number: shapes_at(file, number, trace) for number in {site.line for site, _, _ in trace.bindings}}
    longest = max(
        (cell_len(source[number - 1]) for number, said in shapes.items() if said and number <= len(source)), default=0
    )
    column = min(longest + 4, max(40, width - gutter - 32))
    stop = trace.failure.site if trace.failure and trace.failure.site else None
    blank = False
    for number, row in enumerate(source, 1):
        if not row.strip():
            blank = True
            continue
        if blank and number > 1:
            yield Text(f"{'':>{gutter}} │", style="dim")
        blank = False
        if number in notes:
            indent = len(row) - len(row.lstrip())
            for part, said in enumerate(wrapped(notes[number], width - gutter - 6 - indent)):
                yield Text.assemble(
                    (f"{'':>{gutter}} │ ", "dim"), (" " * indent + ("── " if part == 0 else "   ") + said, "blue")
                )
        yield from _row(number, row.expandtabs(4), shapes.get(number, ""), gutter, column, width)
        if (
            stop
            and trace.failure
            and stop.line == number
            and as_given(stop.file, trace.script) == as_given(file, trace.script)
        ):
            yield Text.assemble(
                (f"{'':>{gutter}} │ ", "dim"),
                (" " * (len(row) - len(row.lstrip())) + f"▲ {FAILED[lang]}: {trace.failure.kind}", "bold red"),
            )


def _row(number: int, row: str, said: str, gutter: int, column: int, width: int) -> Iterator[Text]:
    room = width - gutter - 3
    line = Text.assemble((f"{number:>{gutter}} │ ", "dim"), cut(row, room))
    if not said:
        yield line
    elif max(cell_len(row), column - 2) + 2 + cell_len(said) <= room:
        line.append(" " * (max(column, cell_len(row) + 2) - cell_len(row)))
        line.append(said, style="cyan")
        yield line
    else:
        yield line
        indent = min(len(row) - len(row.lstrip()) + 4, room // 2)
        for part in wrapped(said, room - indent):
            yield Text.assemble((f"{'':>{gutter}} │ ", "dim"), " " * indent, (part, "cyan"))


def _notes(text: str, file: str, trace: Trace, lang: str) -> dict[int, str]:
    """A note above the first line of each class, function and loop."""
    notes: dict[int, str] = {}
    loops: dict[int, LoopFact] = {
        loop.site.line: loop
        for loop in trace.loops
        if as_given(loop.site.file, trace.script) == as_given(file, trace.script)
    }
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return notes
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            made = [
                f"{fact.path}: {fact.kind}{_config(fact.config)}"
                for fact in trace.modules.values()
                if fact.site
                and fact.path
                and node.lineno <= fact.site.line <= (node.end_lineno or node.lineno)
                and _same(fact.site.file, file, trace)
            ][:6]
            notes[node.lineno] = PIECES["class"][lang].format(name=node.name) + (
                f" · {MODULES[lang]}: " + ", ".join(dict.fromkeys(made)) if made else ""
            )
        elif isinstance(node, (ast.For, ast.While, ast.AsyncFor)) and node.lineno in loops:
            loop = loops[node.lineno]
            kind = "trained" if loop.cut and loop.trained else "cut" if loop.cut else "whole"
            notes[node.lineno] = (
                PIECES["loop"][lang].format(line=node.lineno) + ": " + LOOPS[kind][lang].format(count=loop.iterations)
            )
    return notes


def _config(config: dict[str, object]) -> str:
    """The sizes among a module's attributes, as its constructor would name them."""
    known = (
        "in_features",
        "out_features",
        "in_channels",
        "out_channels",
        "kernel_size",
        "input_size",
        "hidden_size",
        "num_layers",
        "batch_first",
        "embed_dim",
        "num_heads",
        "num_embeddings",
        "embedding_dim",
        "normalized_shape",
        "num_features",
    )
    said = [f"{name}={config[name]}" for name in known if config.get(name) not in (None, False)]
    return f"({', '.join(said)})" if said else ""


def _same(one: str, other: str, trace: Trace) -> bool:
    return as_given(one, trace.script) == as_given(other, trace.script)
