"""The page of an einsum equation, in three languages."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ..report.page import cell_len, padded, wrapped
from .einsum import Equation, EquationError, Letter

ERRORS: dict[str, dict[str, str]] = {
    "grammar": {
        "en": ('{equation} is not an einsum equation: it may contain letters, commas, an ellipsis "..." and one "->"'),
        "es": "{equation} no es una ecuación de einsum: admite letras, comas, puntos suspensivos «...» y un solo «->»",
        "ja": (
            "{equation} は einsum の式として正しくありません。使えるのは、文字、コンマ、省略記号「...」、1 つの「->」で"
            "す"
        ),
    },
    "operands": {
        "en": "number of operands in the equation: {terms}; number of shapes given: {shapes}",
        "es": "número de operandos en la ecuación: {terms}; número de formas dadas: {shapes}",
        "ja": "式のオペランドの数: {terms}。渡された形状の数: {shapes}",
    },
    "output": {
        "en": 'the letter {letter} is in no operand, or appears twice after "->"',
        "es": "la letra {letter} no está en ningún operando, o aparece dos veces tras «->»",
        "ja": "文字 {letter} がどのオペランドにもないか、「->」の右側に 2 回あります",
    },
    "rank": {
        "en": (
            "operand {number} (counted from 0) has shape {shape}, which does not fit {term} (axes: {rank}, letters: "
            "{letters})"
        ),
        "es": (
            "el operando {number} (contado desde 0) tiene forma {shape}, que no encaja con {term} (ejes: {rank}, "
            "letras: {letters})"
        ),
        "ja": "オペランド {number} (0 始まり) の形状 {shape} は {term} に合いません (軸 {rank} つ、文字 {letters} 個)",
    },
    "rest": {
        "en": 'the axes that the ellipsis "..." covers do not broadcast: {sizes}',
        "es": "los ejes que abarcan los puntos suspensivos «...» no admiten broadcasting: {sizes}",
        "ja": "省略記号「...」に含まれる軸がブロードキャストできません: {sizes}",
    },
    "size": {
        "en": "letter {letter} first has size {first}, but in operand {number} (counted from 0) it has size {second}",
        "es": (
            "la letra {letter} tiene primero tamaño {first}, pero en el operando {number} (contado desde 0) tiene "
            "tamaño {second}"
        ),
        "ja": "文字 {letter} のサイズは最初は {first} ですが、オペランド {number} (0 始まり) では {second} です",
    },
}
FATES = {
    "kept": {"en": "kept", "es": "se conserva", "ja": "残る"},
    "matched": {
        "en": "in operands {where}: multiplied element by element, kept",
        "es": "en los operandos {where}: se multiplica elemento a elemento y se conserva",
        "ja": "オペランド {where} で要素ごとに掛け、残る",
    },
    "summed": {
        "en": "summed; not in the output",
        "es": "se suma; no está en la salida",
        "ja": "総和を取り、出力には残らない",
    },
    "contracted": {
        "en": "in operands {where}: multiplied and summed; not in the output",
        "es": "en los operandos {where}: se multiplica y se suma; no está en la salida",
        "ja": "オペランド {where} で掛けて総和を取り、出力には残らない",
    },
    "diagonal": {
        "en": "appears more than once in one operand: only the diagonal is read",
        "es": "aparece más de una vez en un operando: solo se lee la diagonal",
        "ja": "1 つのオペランドに 2 回以上現れる: 対角だけを読む",
    },
}
EQUALS = {"en": "equals", "es": "equivale a", "ja": "等価"}
RESULT = {"en": "gives", "es": "da", "ja": "結果"}
NONE = {
    "en": "no single operator that shapewright knows",
    "es": "ningún operador que shapewright conozca",
    "ja": "該当する単独の演算子なし (shapewright が知る範囲)",
}
COST = {"en": "number of products: {count}", "es": "número de productos: {count}", "ja": "積の数: {count}"}


def error_text(error: EquationError, lang: str) -> str:
    """The sentence of an equation that does not fit."""
    return ERRORS[error.kind][lang].format(**error.fields)


def page(equation: Equation, lang: str, width: int) -> Iterator[Text]:
    """The operands over their letters, the fate of each letter, the result and the operator that it equals."""
    yield Text(",".join(equation.terms) + "->" + equation.output, style="bold")
    for number, (term, shape) in enumerate(zip(equation.terms, equation.shapes)):
        yield Text.assemble((f"  {chr(65 + number)}  ", "bold cyan"), f"{term or '()'} = {_shape(shape)}")
    for letter in equation.letters:
        for line, said in enumerate(wrapped(_fate(letter, lang), width - 14)):
            yield Text.assemble(
                (f"  {letter.name} = {letter.size}".ljust(12) if line == 0 else " " * 12, "cyan"), "  ", said
            )
    if equation.rest:
        yield Text.assemble(("  ... = ", "cyan"), _shape(equation.rest))
    margin = 2 + max(cell_len(RESULT[lang]), cell_len(EQUALS[lang]))
    cost = "" if len(equation.terms) < 2 else " · " + COST[lang].format(count=f"{equation.products:,}")
    yield Text.assemble((padded(RESULT[lang], margin), "bold"), (_shape(equation.result), "green"), cost)
    yield Text.assemble(
        (padded(EQUALS[lang], margin), "bold"),
        f"{equation.operator}  ({equation.kind})" if equation.operator else NONE[lang],
    )


def _fate(letter: Letter, lang: str) -> str:
    where = ", ".join(chr(65 + at) for at in letter.operands)
    kind = (
        ("matched" if len(letter.operands) > 1 else "kept")
        if letter.kept
        else "contracted"
        if len(letter.operands) > 1
        else "summed"
    )
    said = FATES[kind][lang].format(where=where)
    return f"{FATES['diagonal'][lang]}; {said}" if letter.repeated else said


def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
