"""Distances, determinants, sampling, bilinear layers."""

from ..model import Message

MESSAGES = (
    Message(
        "contracted-axes",
        (
            r"contracted dimensions need to match, but first has size (?P<a>\d+) in dim (?P<i>-?\d+) and second has "
            r"size (?P<b>\d+) in dim (?P<j>-?\d+)",
            r"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes \[(?P<sizes>[\d, "
            r"]+)\]",
        ),
        (
            "Axes that are paired must have the same size: those that tensordot sums over, and the one that vmap "
            "runs along.",
            "Axis {i} of the first tensor has size {a}, axis {j} of the second has size {b}.\nThe sizes are {sizes}.",
            "The axes are named in a different order on each side, or an operand is transposed.",
            "Print both shapes and write the pairs out: torch.tensordot(a, b, dims=([axis of a], [axis of b])); for "
            "vmap set in_dims.",
        ),
        (
            "Los ejes emparejados deben medir lo mismo: los que suma tensordot y el que recorre vmap.",
            "El eje {i} del primer tensor tiene tamaño {a} y el eje {j} del segundo, {b}.\nLos tamaños son {sizes}.",
            "Los ejes se nombran en otro orden a cada lado, o un operando está traspuesto.",
            "Imprime ambas formas y escribe las parejas: torch.tensordot(a, b, dims=([eje de a], [eje de b])); en vmap "
            "fija in_dims.",
        ),
        (
            "組になる軸 (tensordot が和を取る軸、vmap が走る軸) は同じサイズでなければなりません。",
            "1 つ目のテンソルの軸 {i} のサイズは {a}、2 つ目の軸 {j} は {b} です。\nサイズは {sizes} です。",
            "左右で軸の指定順が違うか、オペランドが転置されています。",
            "両方の形状を表示し、組を明示します: torch.tensordot(a, b, dims=([a の軸], [b の軸]))。vmap なら in_dims "
            "を指定します。",
        ),
    ),
    Message(
        "pairwise-columns",
        (
            r"X1 and X2 must have the same number of columns\. X1: (?P<a>\d+) X2: (?P<b>\d+)",
            r"bilinear\(\): (?P<what>input\d) size does not match weight size: got (?P<a>\d+) but expected (?P<b>\d+)",
        ),
        (
            "Distances and bilinear layers compare vectors along the last axis, whose sizes must be equal.",
            "One operand has {a} features, the other {b}.\nThe operand is {what}.",
            "Two encoders have different widths, or an operand is transposed.",
            "Project both operands to the same width.",
        ),
        (
            "Distancias y capas bilineales comparan vectores por el último eje, cuyo tamaño debe coincidir.",
            "Un operando tiene {a} características y el otro {b}.\nEl operando es {what}.",
            "Dos codificadores tienen anchuras distintas, o un operando está traspuesto.",
            "Proyecta ambos operandos a la misma anchura.",
        ),
        (
            "距離や双線形層は最後の軸でベクトルを比べるので、そのサイズが一致しなければなりません。",
            "片方の特徴は {a}、もう片方は {b} です。\nオペランドは {what} です。",
            "2 つのエンコーダの幅が違うか、オペランドが転置されています。",
            "両方のオペランドを同じ幅に射影します。",
        ),
    ),
    Message(
        "square-matrix",
        (
            r"(?P<call>linalg\.\w+): A must be batches of square matrices, but they are (?P<a>\d+) by (?P<b>\d+) "
            r"matrices",
            r"(?P<call>linalg\.cross): inputs dimension (?P<dim>-?\d+) must have length 3\. Got (?P<a>\d+) and "
            r"(?P<b>\d+)",
        ),
        (
            "{call} works on the last axes: square matrices for inv, det and eigenvalues, length 3 for cross.",
            "The sizes are {a} and {b}.",
            "The axes are permuted, or a batch axis is last.",
            "Check which axes form the matrix; pinv and lstsq accept other shapes, and cross takes dim.",
        ),
        (
            "{call} trabaja sobre los últimos ejes: matrices cuadradas en inv, det y autovalores, longitud 3 en cross.",
            "Los tamaños son {a} y {b}.",
            "Los ejes están permutados, o el lote está al final.",
            "Comprueba qué ejes forman la matriz; pinv y lstsq aceptan otras formas, cross acepta dim.",
        ),
        (
            "{call} は最後の軸に働きます。inv、det、固有値なら正方行列、cross なら長さ 3 です。",
            "実際のサイズは {a} と {b} です。",
            "軸が入れ替わっているか、バッチが最後に来ています。",
            "どの軸が行列かを確かめます。pinv や lstsq は他の形状も取れ、cross には dim を指定できます。",
        ),
    ),
    Message(
        "multinomial-rank",
        (r"prob_dist must be 1 or 2 dim",),
        (
            "multinomial takes one distribution (classes,) or a batch of them (batch, classes).",
            "The probabilities have more axes.",
            "The time axis is still there: (batch, time, vocabulary).",
            "First take the last step, logits[:, -1], or use flatten(0, 1).",
        ),
        (
            "multinomial toma una distribución (clases,) o un lote de ellas (lote, clases).",
            "Las probabilidades tienen más ejes.",
            "Aún está el eje de tiempo: (lote, tiempo, vocabulario).",
            "Toma antes el último paso, logits[:, -1], o usa flatten(0, 1).",
        ),
        (
            "multinomial は 1 つの分布 (クラス,) か、そのバッチ (バッチ, クラス) を取ります。",
            "確率の軸が多すぎます。",
            "時間の軸が残っています ((バッチ, 時間, 語彙))。",
            "先に logits[:, -1] で最後のステップを取るか、flatten(0, 1) とします。",
        ),
    ),
)
