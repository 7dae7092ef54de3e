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
            "Shapes are compared from the last axis to the first; two sizes fit if they are equal or one of them is "
            "1 (in an assignment, only the size of the assigned value may be 1).",
            "The shapes {a} and {b} are combined.\nCounted from the last axis, the first mismatch is {clash}.",
            "A vector (n,) with one value per sample is combined with a table (n, k), or a column (n, 1) is assigned "
            "to a vector (n,).\nRows were removed from only one of the arrays (by a filter, a split, a smaller last "
            "batch).",
            "Give the vector a second axis: v[:, None], here {column}.\nIn an assignment to a vector, turn the "
            "column into a vector: column[:, 0].\nPrint the .shape of both arrays right before the line and find out "
            "which axis holds the samples.",
        ),
        (
            "Las formas se comparan del último eje al primero; dos tamaños encajan si son iguales o uno de ellos es "
            "1 (en una asignación, solo puede ser 1 el tamaño del valor asignado).",
            "Se combinan las formas {a} y {b}.\nContando desde el último eje, la primera discrepancia es {clash}.",
            "Un vector (n,) con un valor por muestra se combina con una tabla (n, k), o una columna (n, 1) se asigna "
            "a un vector (n,).\nSe quitaron filas solo de uno de los arrays (por un filtro, una división, un último "
            "lote menor).",
            "Da al vector un segundo eje: v[:, None], aquí {column}.\nEn una asignación a un vector, convierte la "
            "columna en vector: columna[:, 0].\nImprime el .shape de los dos arrays justo antes de la línea y "
            "averigua qué eje es el de las muestras.",
        ),
        (
            "形状は最後の軸から順に比べられます。サイズが等しいか、どちらかが 1 なら合います (代入では、1 にできるの"
            "は代入する値のサイズだけです)。",
            "形状 {a} と {b} が組み合わされました。\n後ろから見て最初の食い違いは {clash} です。",
            "サンプルごとに値が 1 つのベクトル (n,) が表 (n, k) と組み合わされているか、列 (n, 1) がベクトル (n,) に"
            "代入されています。\n片方の配列だけ行が減っています (抽出、分割、小さい最後のバッチ)。",
            "ベクトルに 2 つ目の軸を足します: v[:, None]、ここでは {column}。\nベクトルへの代入なら、列をベクトルにし"
            "ます: column[:, 0]。\nその行の直前で両方の配列の .shape を表示し、どの軸がサンプルかを確かめます。",
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
            "In a product of {a} and {b}, axis {i} of the first has size {inner}, but axis {j} of the second has "
            "size {other}.",
            "The right array is transposed.\nThe number of features was changed in only one of the arrays.",
            "The last axes of both arrays have the same size, so the right array, {turned}, fits if you transpose it "
            "(.T).\nIf no array is transposed, find out why one has {inner} features and the other {other}.",
        ),
        (
            "Los dos ejes que se multiplican deben tener el mismo tamaño.",
            "En el producto de {a} y {b}, el eje {i} del primero tiene tamaño {inner}, pero el eje {j} del segundo "
            "tiene {other}.",
            "El array derecho está traspuesto.\nEl número de características se cambió solo en uno de los arrays.",
            "Los últimos ejes de los dos arrays tienen el mismo tamaño, así que el array derecho, {turned}, encaja "
            "si lo traspones (.T).\nSi ningún array está traspuesto, averigua por qué uno tiene {inner} "
            "características y el otro {other}.",
        ),
        (
            "掛け合わせる 2 つの軸のサイズは同じでなければなりません。",
            "{a} と {b} の積で、1 つ目の軸 {i} のサイズは {inner} ですが、2 つ目の軸 {j} のサイズは {other} です。",
            "右の配列が転置されています。\n片方の配列だけ特徴の数を変えています。",
            "両方の配列の最後の軸のサイズが同じなので、右の配列 {turned} を転置 (.T) すれば合います。\nどちらも転置さ"
            "れていなければ、片方の特徴が {inner} 個でもう片方が {other} 個になった原因を調べます。",
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
            "The last axis of the left array has size {want}, but the matching axis of the right array has size "
            "{have}.",
            "The right array is transposed, or the number of features was changed in only one of the arrays.",
            "Print the .shape of both; if the right one is a matrix whose other axis has size {want}, transpose it "
            "(.T).",
        ),
        (
            "El último eje del array izquierdo debe tener el mismo tamaño que el penúltimo eje del array derecho (o "
            "que su único eje, si es un vector).",
            "El último eje del array izquierdo tiene tamaño {want}, pero el eje correspondiente del array derecho "
            "tiene tamaño {have}.",
            "El array derecho está traspuesto, o el número de características se cambió solo en uno de los arrays.",
            "Imprime el .shape de los dos; si el derecho es una matriz cuyo otro eje tiene tamaño {want}, traspónlo "
            "(.T).",
        ),
        (
            "左の配列の最後の軸と、右の配列の後ろから 2 番目の軸 (ベクトルなら唯一の軸) "
            "のサイズが等しくなければなりません。",
            "左の配列の最後の軸のサイズは {want} ですが、右の配列の対応する軸は {have} です。",
            "右の配列が転置されているか、片方の配列だけ特徴の数を変えています。",
            "両方の .shape を表示し、右が行列で、もう一方の軸のサイズが {want} なら転置 (.T) します。",
        ),
    ),
    Message(
        "arrays-reshape",
        (r"cannot reshape array of size (?P<size>\d+) into shape (?P<shape>\([-\d, ]+\))",),
        (
            "A reshape keeps the number of elements.",
            "The number of elements is {size}; the product of the sizes in {shape} (without a -1) is {known}.\n{ratio}",
            "The array has more or fewer samples, channels or pixels than expected.",
            "Print .shape before the reshape and correct the sizes; one of them may be -1, which is then computed "
            "from the others.\n{size} is divisible by {near}.",
        ),
        (
            "Un reshape conserva el número de elementos.",
            "El número de elementos es {size}; el producto de los tamaños de {shape} (sin contar el -1) es {known}.\n"
            "{ratio}",
            "El array contiene más o menos muestras, canales o píxeles de lo esperado.",
            "Imprime .shape antes del reshape y corrige los tamaños; uno puede ser -1, que se calcula a partir de "
            "los demás.\n{size} es divisible entre {near}.",
        ),
        (
            "reshape では要素数は変わりません。",
            "要素は {size} 個で、{shape} のサイズ (-1 を除く) の積は {known} です。\n{ratio}",
            "サンプル数、チャネル数、画素数が想定と違います。",
            "reshape の前の .shape を表示し、サイズを直します。1 つは -1 にでき、残りから計算されます。\n{size} は "
            "{near} で割り切れます。",
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
            "All arrays passed to this call need the same number of rows, one row per sample.",
            "The numbers of rows are {counts}.",
            "Predictions were collected from a loader with drop_last=True, or only the last batch was kept.\nOnly "
            "one of the arrays was filtered, split or shifted.\nIn one array the samples are not on the first axis.",
            "Print the .shape of each array; collect predictions and labels in the same loop.",
        ),
        (
            "Todos los arrays de esta llamada necesitan el mismo número de filas, una por muestra.",
            "Los números de filas son {counts}.",
            "Las predicciones se reunieron por lotes con drop_last=True, o solo quedó el último lote.\nSolo uno de "
            "los arrays se filtró, dividió o desplazó.\nEn un array las muestras no están en el primer eje.",
            "Imprime el .shape de cada array; reúne predicciones y etiquetas en el mismo bucle.",
        ),
        (
            "この呼び出しの配列は、どれもサンプルごとに 1 行で、行数が同じでなければなりません。",
            "配列の行数は {counts} です。",
            "drop_last=True のまま予測を集めたか、最後のバッチしか残っていません。\n片方の配列だけが抽出・分割・シフ"
            "トされています。\nサンプルが最初の軸に並んでいない配列があります。",
            "各配列の .shape を表示し、予測とラベルは同じループの中で集めます。",
        ),
    ),
)
