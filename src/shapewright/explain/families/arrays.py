"""NumPy and scikit-learn: arrays that do not broadcast, multiply, reshape or pair with each other."""

from ..arithmetic import divisors_near, numbers, product, ratio
from ..model import Message


def _pair(field: dict[str, str]) -> dict[str, object]:
    a, b = numbers(field["a"]), numbers(field["b"])
    clash = [
        f"{x} ≠ {y}" for x, y in zip(reversed(a), reversed(b)) if x != y and y != 1 and (x != 1 or field.get("into"))
    ]
    return {
        "clash": clash[0] if clash else "",
        "column": f"({b[0]}, 1)"
        if len(b) == 1 and a[:1] == b
        else f"({a[0]}, 1)"
        if len(a) == 1 and b[:1] == a and not field.get("into")
        else "",
    }


def _aligned(field: dict[str, str]) -> dict[str, object]:
    a, b = numbers(field["a"]), numbers(field["b"])
    return {"turned": field["b"] if len(a) == len(b) == 2 and a[-1] == b[-1] else ""}


def _reshaped(field: dict[str, str]) -> dict[str, object]:
    size, wanted = int(field["size"]), numbers(field["shape"])
    known = product([part for part in wanted if part >= 0])
    near = "" if known == 0 or size % known == 0 else ", ".join(map(str, divisors_near(size, known)))
    return {"known": known, "ratio": ratio(size, known), "near": near}


MESSAGES = (
    Message(
        "arrays-broadcast",
        (
            r"operands could not be broadcast together with (?:remapped shapes [^\n]*|shapes? (?P<a>\([\d, ]*\)) "
            r"(?P<b>\([\d, ]*\)))",
            r"objects cannot be broadcast to a single shape(?:\. +Mismatch is between arg \d+ with shape "
            r"(?P<a>\([\d, ]*\)) and arg \d+ with shape (?P<b>\([\d, ]*\)))?",
            r"could not broadcast (?P<into>input array) from shape (?P<b>\([\d, ]*\)) into shape (?P<a>\([\d, ]*\))",
        ),
        (
            "Shapes are compared from the last axis; two sizes fit where they are equal or one of them is 1 (in an "
            "assignment, only the value's may be 1).",
            "{a} is combined with {b}.\nCounted from the last axis, the first mismatch is {clash}.",
            "One value per sample (n,) is combined with a column or a table (n, k).\nRows were dropped on one "
            "side only (a filter, "
            "a split, a smaller last batch).",
            "Give the vector a second axis: v[:, None], here {column}.\nPrint the .shape of both right before the "
            "line and decide which axis holds the samples.",
        ),
        (
            "Las formas se comparan desde el último eje; dos tamaños encajan si son iguales o uno es 1 (en una "
            "asignación, solo el del valor).",
            "Se combinan {a} y {b}.\nDesde el último eje, la primera discrepancia es {clash}.",
            "Un valor por muestra (n,) se combina con una columna o una tabla (n, k).\nSe quitaron filas solo de un "
            "lado (un filtro, una división, un último lote menor).",
            "Da al vector un segundo eje: v[:, None], aquí {column}.\nImprime el .shape de los dos justo antes de la "
            "línea y decide qué eje es el de las muestras.",
        ),
        (
            "形状は最後の軸から順に比べられ、サイズが等しいか、どちらかが 1 (代入では値の側だけ) のときに合います。",
            "{a} と {b} が組み合わされました。\n後ろから見て最初の食い違いは {clash} です。",
            "サンプルごとに 1 つの値 (n,) が、列や表 (n, k) と組み合わされています。\n片方だけ行が減っています "
            "(抽出、分割、最後の小さいバッチ)。",
            "ベクトルに軸を足します: v[:, None]、ここでは {column}。\nその行の直前で両方の .shape を表示し、"
            "どの軸がサンプルかを確かめます。",
        ),
        sums=lambda field: _pair(field) if field["a"] else {"clash": "", "column": ""},
    ),
    Message(
        "arrays-product",
        (
            r"shapes (?P<a>\([\d, ]*\)) and (?P<b>\([\d, ]*\)) not aligned: (?P<inner>\d+) \(dim (?P<i>\d+)\) != "
            r"(?P<other>\d+) \(dim (?P<j>\d+)\)",
        ),
        (
            "The two axes that are multiplied must have the same size.",
            "{a} is combined with {b}: axis {i} has size {inner}, axis {j} has size {other}.",
            "The right array is transposed.\nFeatures were added or dropped on one side.",
            "The last axes have the same size: the right array, {turned}, fits with .T.\nBring both sizes, "
            "{inner} and {other}, to the same number of features.",
        ),
        (
            "Los dos ejes que se multiplican deben medir lo mismo.",
            "Se combinan {a} y {b}: el eje {i} mide {inner} y el eje {j}, {other}.",
            "El array derecho está traspuesto.\nSe añadieron o quitaron características de un lado.",
            "Los últimos ejes miden lo mismo: el array derecho, {turned}, encaja con .T.\nLleva ambos "
            "tamaños, {inner} y {other}, al mismo número de características.",
        ),
        (
            "掛け合わせる 2 つの軸のサイズは同じでなければなりません。",
            "{a} と {b} が組み合わされました。軸 {i} のサイズは {inner}、軸 {j} のサイズは {other} です。",
            "右の配列が転置されています。\n片方だけ特徴の数が変わっています。",
            "最後の軸のサイズが同じなので、右の配列 {turned} は .T で合います。\nサイズ {inner} と {other} "
            "を同じ特徴数にそろえます。",
        ),
        sums=_aligned,
    ),
    Message(
        "arrays-matmul",
        (
            r"matmul: Input operand 1 has a mismatch in its core dimension \d+[^\n]*?\(size (?P<have>\d+) is different "
            r"from (?P<want>\d+)\)",
        ),
        (
            "The last axis of the left array must have the same size as the second-to-last axis of the right array "
            "(or as its only axis, if it is a vector).",
            "The last axis of the left array has size {want}; the matching axis of the right array has size {have}.",
            "The right array is transposed, or features were added or dropped on one side.",
            "Print the .shape of both; if the right one is a matrix whose other axis has size {want}, transpose it "
            "(.T).",
        ),
        (
            "El último eje del array izquierdo debe medir lo mismo que el penúltimo del derecho (que el único eje, si "
            "es un vector).",
            "El último eje del array izquierdo tiene tamaño {want}; el eje correspondiente del derecho, {have}.",
            "El array derecho está traspuesto, o se añadieron o quitaron características de un lado.",
            "Imprime el .shape de los dos; si el derecho es una matriz cuyo otro eje tiene tamaño {want}, traspónlo "
            "(.T).",
        ),
        (
            "左の配列の最後の軸と、右の配列の後ろから 2 番目の軸 (ベクトルなら唯一の軸) "
            "のサイズが等しくなければなりません。",
            "左の配列の最後の軸のサイズは {want} ですが、右の配列の対応する軸は {have} です。",
            "右の配列が転置されているか、片方だけ特徴の数が変わっています。",
            "両方の .shape を表示し、右が行列で、もう一方の軸のサイズが {want} なら転置 (.T) します。",
        ),
    ),
    Message(
        "arrays-reshape",
        (r"cannot reshape array of size (?P<size>\d+) into shape (?P<shape>\([-\d, ]+\))",),
        (
            "A reshape keeps the number of elements.",
            "The number of elements is {size}; the sizes in {shape} (-1 aside) multiply to {known}.\n{ratio}",
            "The array holds more or fewer samples, channels or pixels than expected.",
            "Print .shape before the reshape; pass -1 for one axis.\n{size} is divisible by {near}.",
        ),
        (
            "Un reshape conserva el número de elementos.",
            "El número de elementos es {size}; el producto de los tamaños de {shape} (sin contar el -1) es {known}.\n"
            "{ratio}",
            "El array contiene más o menos muestras, canales o píxeles de lo esperado.",
            "Imprime .shape antes del reshape; pon -1 en un eje.\n{size} es divisible entre {near}.",
        ),
        (
            "reshape では要素数は変わりません。",
            "要素は {size} 個で、{shape} のサイズ (-1 を除く) の積は {known} です。\n{ratio}",
            "サンプル数、チャネル数、画素数が想定と違います。",
            "reshape の前の .shape を表示し、1 つの軸を -1 にします。\n{size} は {near} で割り切れます。",
        ),
        sums=_reshaped,
    ),
    Message(
        "samples-unequal",
        (
            r"Found input variables with inconsistent numbers of samples: \[(?P<counts>[\d, ]+)\]",
            r"Size mismatch between tensors",
        ),
        (
            "All arrays of this call need the same number of rows, one per sample.",
            "The numbers of rows are {counts}.",
            "Predictions were gathered over batches with drop_last=True, or only the last batch was kept.\nOne array "
            "was filtered, split or shifted and the other was not.\n"
            "The samples are on a different axis.",
            "Print the .shape of each; gather predictions and labels in the same loop.",
        ),
        (
            "Todos los arrays de esta llamada necesitan el mismo número de filas, una por muestra.",
            "Los números de filas son {counts}.",
            "Las predicciones se juntaron con drop_last=True, o solo quedó el último lote.\nUn array se filtró, "
            "dividió o desplazó y el otro no.\nLas muestras están en otro eje.",
            "Imprime el .shape de cada uno; junta predicciones y etiquetas en el mismo bucle.",
        ),
        (
            "この呼び出しの配列は、どれもサンプルごとに 1 行で、行数が同じでなければなりません。",
            "配列の行数は {counts} です。",
            "drop_last=True のまま予測を集めたか、最後のバッチしか残っていません。"
            "\n片方だけ抽出・分割・シフトされています。\nサンプルが別の軸に並んでいます。",
            "それぞれの .shape を表示し、予測とラベルは同じループの中で集めます。",
        ),
    ),
)
