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
            "A letter must have the same size wherever it appears, except that size 1 in one operand broadcasts to "
            "the size in another operand.",
            "The letter {letter} first has size {want}, but in operand {number} (counted from 0) it has size {have}.",
            "An operand is transposed: swap its letters or the tensor's axes.\nOne size is a multiple of the other: "
            "{ratio}.",
            "Write each size under its letter, or let `shapewright einsum 'EQUATION' SHAPES` do it (quote the "
            "equation, because it contains >).",
        ),
        (
            "Una letra debe tener el mismo tamaño en todos los sitios donde aparece; solo un tamaño 1 en un operando "
            "se extiende por broadcasting al tamaño de otro operando.",
            "La letra {letter} tiene primero tamaño {want}, pero en el operando {number} (contando desde 0) tiene "
            "tamaño {have}.",
            "Un operando está traspuesto: intercambia sus letras o los ejes del tensor.\nUn tamaño es múltiplo del "
            "otro: {ratio}.",
            "Escribe cada tamaño debajo de su letra, o usa `shapewright einsum 'ECUACIÓN' FORMAS` (con comillas, "
            "porque la ecuación contiene >).",
        ),
        (
            "同じ文字は、どこでも同じサイズでなければなりません。ただし、あるオペランドのサイズ 1 は、別のオペランド"
            "のサイズにブロードキャストされます。",
            "文字 {letter} のサイズは最初は {want} ですが、オペランド {number} (0 始まり) では {have} です。",
            "オペランドが転置されています。文字かテンソルの軸を入れ替えます。\n一方が他方の倍数です: {ratio}。",
            "各文字の下にサイズを書いて確かめます。`shapewright einsum '式' 形状` でも確かめられます (式に > があるた"
            "め、引用符で囲みます)。",
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
            "The equation needs one letter for each axis of an operand; ... covers all other axes.",
            "In operand {number} (counted from 0), the number of axes is {have}, but the number of letters is {want}.",
            "There is one batch axis too few or too many, or the heads are not split yet.",
            "Add or drop a letter, or write ... in front: ...ij,...jk->...ik.",
        ),
        (
            "La ecuación necesita una letra por cada eje de un operando; ... abarca los demás ejes.",
            "En el operando {number} (contando desde 0), el número de ejes es {have}, pero el de letras es {want}.",
            "Falta o sobra un eje de lote, o las cabezas aún no se han separado.",
            "Añade o quita una letra, o escribe ... delante: ...ij,...jk->...ik.",
        ),
        (
            "式には、オペランドの軸ごとに文字が 1 つ必要です。残りの軸は ... でまとめて表せます。",
            "オペランド {number} (0 始まり) は軸が {have} つ、文字が {want} 個です。",
            "バッチの軸が足りないか余分です。または、ヘッドがまだ分割されていません。",
            "文字を増減するか、先頭に ... を書きます: ...ij,...jk->...ik。",
        ),
    ),
    Message(
        "einsum-operands",
        (r"einsum\(\): (?:fewer|more) operands were provided than specified in the equation",),
        (
            "The commas in the equation separate the operands: an equation with n commas needs n + 1 operands.",
            "The number of operands passed does not match the equation.",
            "A comma or an operand was forgotten.",
            "Compare the number of commas with the number of tensors that you pass.",
        ),
        (
            "Las comas de la ecuación separan los operandos: una ecuación con n comas necesita n + 1 operandos.",
            "El número de operandos que se pasaron no coincide con la ecuación.",
            "Se olvidó una coma o un operando.",
            "Compara el número de comas con el número de tensores que pasas.",
        ),
        (
            "式のコンマがオペランドを区切ります。コンマが n 個なら、オペランドは n + 1 個必要です。",
            "渡されたオペランドの数が式と合いません。",
            "コンマかオペランドが抜けています。",
            "コンマの数と、渡すテンソルの数を比べます。",
        ),
    ),
    Message(
        "einsum-output",
        (
            r"einsum\(\): output subscript (?P<letter>\S+) (?:does not appear in the equation for any input "
            r"operand|appears more than once in the output)",
        ),
        (
            "Each letter after -> must appear there only once and must also appear in an operand.",
            "The letter {letter} appears twice after ->, or in no operand.",
            "A letter was mistyped, or the equation tries to create a new axis.",
            "Correct the letter. einsum cannot create a new axis; use unsqueeze for that.",
        ),
        (
            "Cada letra tras -> debe aparecer allí una sola vez y también en algún operando.",
            "La letra {letter} aparece dos veces tras ->, o en ningún operando.",
            "Una letra está mal escrita, o la ecuación intenta crear un eje nuevo.",
            "Corrige la letra. einsum no puede crear un eje nuevo; para eso usa unsqueeze.",
        ),
        (
            "-> の右の各文字は、そこに 1 回だけ現れ、どれかのオペランドにも現れなければなりません。",
            "文字 {letter} が -> の右に 2 回あるか、どのオペランドにもありません。",
            "文字の打ち間違いか、式で新しい軸を作ろうとしています。",
            "文字を直します。einsum では新しい軸を作れないため、unsqueeze を使います。",
        ),
    ),
)
