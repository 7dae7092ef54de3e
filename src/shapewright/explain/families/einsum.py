"""einsum equations."""

from ..arithmetic import ratio
from ..model import Message

MESSAGES = (
    Message(
        "einsum-size",
        (
            r"einsum\(\): subscript (?P<letter>\w) has size (?P<have>\d+) for operand (?P<number>\d+) which does not "
            r"broadcast with previously seen size (?P<want>\d+)",
            r"(?:einsum\(\):? )?operands do not broadcast with remapped shapes[^\n]*",
        ),
        (
            "A letter must have the same size wherever it appears; between operands, size 1 broadcasts.",
            "{letter} has size {want} at first, but {have} in operand {number} (counted from 0).",
            "An operand is transposed: swap its letters or the tensor's axes.\nOne size is a multiple of the other: "
            "{ratio}.",
            "Write the shapes under the letters, one by one; shapewright einsum EQUATION SHAPES does it.",
        ),
        (
            "Una letra debe tener el mismo tamaño en todos los sitios donde aparece; entre operandos, el tamaño "
            "1 admite broadcasting.",
            "{letter} tiene primero tamaño {want}, pero {have} en el operando {number} (contando desde 0).",
            "Un operando está traspuesto: cambia sus letras o los ejes del tensor.\nUn tamaño es múltiplo del otro: "
            "{ratio}.",
            "Escribe las formas bajo las letras, una a una; shapewright einsum ECUACIÓN FORMAS lo hace.",
        ),
        (
            "同じ文字は、どこでも同じサイズでなければなりません。オペランド間では、サイズ 1 はブロードキャストさ"
            "れます。",
            "{letter} のサイズは最初 {want}、オペランド {number} (0 始まり) では {have} です。",
            "オペランドが転置されています。文字か軸を入れ替えます。\n一方が他方の倍数です: {ratio}。",
            "文字の下に形状を書き並べます。shapewright einsum 式 形状 で確かめられます。",
        ),
        sums=lambda field: {"ratio": ratio(int(field["have"]), int(field["want"])) if field.get("have") else ""},
    ),
    Message(
        "einsum-rank",
        (
            r"einsum\(\): the number of subscripts in the equation \((?P<want>\d+)\) (?:does not match|is more than) "
            r"the number of dimensions \((?P<have>\d+)\) for operand (?P<number>\d+)",
        ),
        (
            "Each operand has one letter per axis; use ... for the remaining axes.",
            "In operand {number} (counted from 0), the number of axes is {have}, but the number of letters is {want}.",
            "A batch axis is missing or extra, or heads are not split yet.",
            "Add or drop a letter, or write ... in front: ...ij,...jk->...ik.",
        ),
        (
            "Cada operando tiene una letra por eje; ... representa el resto.",
            "En el operando {number} (contando desde 0), el número de ejes es {have}, pero el de letras es {want}.",
            "Falta o sobra un eje de lote, o las cabezas aún no se han separado.",
            "Añade o quita una letra, o escribe ... delante: ...ij,...jk->...ik.",
        ),
        (
            "各オペランドは軸ごとに 1 文字で、残りは ... で表せます。",
            "オペランド {number} (0 始まり) は軸が {have} つ、文字が {want} 個です。",
            "バッチの軸が足りないか余分か、ヘッドがまだ分かれていません。",
            "文字を増減するか、先頭に ... を書きます: ...ij,...jk->...ik。",
        ),
    ),
    Message(
        "einsum-operands",
        (r"einsum\(\): (?:fewer|more) operands were provided than specified in the equation",),
        (
            "Commas in the equation separate the operands.",
            "The number of operands is not that of the equation.",
            "A comma or an operand was forgotten.",
            "Count the commas: n commas, n + 1 operands.",
        ),
        (
            "Las comas de la ecuación separan los operandos.",
            "El número de operandos no es el de la ecuación.",
            "Se olvidó una coma o un operando.",
            "Cuenta las comas: n comas, n + 1 operandos.",
        ),
        (
            "式のコンマがオペランドを区切ります。",
            "オペランドの数が式と合いません。",
            "コンマかオペランドが抜けています。",
            "コンマを数えます。n 個ならオペランドは n + 1 個です。",
        ),
    ),
    Message(
        "einsum-output",
        (
            r"einsum\(\): output subscript (?P<letter>\S+) (?:does not appear in the equation for any input "
            r"operand|appears more than once in the output)",
        ),
        (
            "Each letter after -> appears there once, and in at least one operand.",
            "The letter {letter} appears twice after ->, or in no operand.",
            "A letter was mistyped, or a new axis was intended.",
            "Correct the letter; einsum makes no new axes, unsqueeze does.",
        ),
        (
            "Cada letra tras -> aparece allí una sola vez y también en algún operando.",
            "La letra {letter} aparece dos veces tras ->, o en ningún operando.",
            "Una letra está mal escrita, o se quería un eje nuevo.",
            "Corrige la letra; einsum no crea ejes nuevos, unsqueeze sí.",
        ),
        (
            "-> の右の文字は 1 回ずつで、どれかのオペランドにもある必要があります。",
            "文字 {letter} が -> の右に 2 回あるか、どのオペランドにもありません。",
            "文字の打ち間違いか、新しい軸を作ろうとしています。",
            "文字を直します。einsum は新しい軸を作れません。unsqueeze を使います。",
        ),
    ),
)
