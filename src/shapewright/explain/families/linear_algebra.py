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
            "Axes that are paired must have the same size: those that tensordot sums over (size 1 also fits "
            "there), and the one that vmap runs along.",
            "Axis {i} of the first tensor has size {a}, axis {j} of the second has size {b}.\nThe sizes are {sizes}.",
            "The axes are named in a different order on each side, or an operand is transposed.",
            "Print both shapes and write the pairs out: torch.tensordot(a, b, dims=([axis of a], [axis of b])); for "
            "vmap set in_dims.",
        ),
        (
            "Los ejes emparejados deben medir lo mismo: los que suma tensordot (ahí también vale el tamaño 1) y el "
            "que recorre vmap.",
            "El eje {i} del primer tensor tiene tamaño {a} y el eje {j} del segundo, {b}.\nLos tamaños son {sizes}.",
            "Los ejes se nombran en otro orden a cada lado, o un operando está traspuesto.",
            "Imprime ambas formas y escribe las parejas: torch.tensordot(a, b, dims=([eje de a], [eje de b])); en vmap "
            "fija in_dims.",
        ),
        (
            "組になる軸 (tensordot が和を取る軸、vmap が走る軸) は同じサイズでなければなりません。tensordot ではサ"
            "イズ 1 でもかまいません。",
            "1 つ目のテンソルの軸 {i} のサイズは {a}、2 つ目の軸 {j} は {b} です。\nサイズは {sizes} です。",
            "左右で軸の指定順が違うか、オペランドが転置されています。",
            "両方の形状を表示し、組を明示します: torch.tensordot(a, b, dims=([a の軸], [b の軸]))。vmap なら in_dims "
            "を指定します。",
        ),
    ),
    Message(
        "pairwise-columns",
        (r"X1 and X2 must have the same number of columns\. X1: (?P<a>\d+) X2: (?P<b>\d+)",),
        (
            "cdist compares vectors along the last axis, which must have the same size in both operands.",
            "The last axis has size {a} in one operand and {b} in the other.",
            "Two encoders have different widths, or an operand is transposed.",
            "Project both operands to the same width.",
        ),
        (
            "cdist compara vectores a lo largo del último eje, que debe tener el mismo tamaño en ambos operandos.",
            "El último eje tiene tamaño {a} en un operando y {b} en el otro.",
            "Dos codificadores tienen anchuras distintas, o un operando está traspuesto.",
            "Proyecta ambos operandos a la misma anchura.",
        ),
        (
            "cdist は最後の軸に沿ってベクトルを比べるので、その軸のサイズは両方のオペランドで等しくなければなりま"
            "せん。",
            "最後の軸のサイズが、片方は {a}、もう片方は {b} です。",
            "2 つのエンコーダの幅が違うか、オペランドが転置されています。",
            "両方のオペランドを同じ幅に射影します。",
        ),
    ),
    Message(
        "bilinear-features",
        (r"bilinear\(\): (?P<what>input\d) size does not match weight size: got (?P<a>\d+) but expected (?P<b>\d+)",),
        (
            "nn.Bilinear(in1_features, in2_features, out_features): the last axis of input1 must have size "
            "in1_features, that of input2 in2_features.",
            "The last axis of {what} has size {a}; the layer was created for {b}.",
            "The layer was sized for a different encoder, the two inputs are swapped, or an operand is transposed.",
            "Set in1_features and in2_features to the sizes of the inputs, or swap the inputs.",
        ),
        (
            "nn.Bilinear(in1_features, in2_features, out_features): el último eje de input1 debe tener tamaño "
            "in1_features, y el de input2, in2_features.",
            "El último eje de {what} tiene tamaño {a}; la capa se creó para {b}.",
            "La capa se dimensionó para otro codificador, las dos entradas están intercambiadas, o un operando está "
            "traspuesto.",
            "Pon in1_features e in2_features según los tamaños de las entradas, o intercambia las entradas.",
        ),
        (
            "nn.Bilinear(in1_features, in2_features, out_features) では、input1 の最後の軸のサイズは in1_features、"
            "input2 の最後の軸のサイズは in2_features でなければなりません。",
            "{what} の最後の軸のサイズは {a} ですが、層は {b} 用に作られています。",
            "別のエンコーダに合わせた層か、2 つの入力が逆か、オペランドが転置されています。",
            "in1_features と in2_features を入力のサイズに合わせるか、入力の順を入れ替えます。",
        ),
    ),
    Message(
        "square-matrix",
        (
            r"(?P<call>linalg\.\w+): A must be batches of square matrices, but they are (?P<a>\d+) by (?P<b>\d+) "
            r"matrices",
            r"(?P<cross>linalg\.cross): inputs dimension (?P<dim>-?\d+) must have length 3\. Got (?P<a>\d+) and "
            r"(?P<b>\d+)",
        ),
        (
            "{call} expects square matrices on the last two axes.\n{cross} expects size 3 on axis {dim}.",
            "The sizes are {a} and {b}.",
            "The axes are permuted, or a batch axis is last.",
            "Check which axes form the matrix; pinv and lstsq accept matrices that are not square, and cross takes "
            "dim.",
        ),
        (
            "{call} espera matrices cuadradas en los dos últimos ejes.\n{cross} espera tamaño 3 en el eje {dim}.",
            "Los tamaños son {a} y {b}.",
            "Los ejes están permutados, o el lote está al final.",
            "Comprueba qué ejes forman la matriz; pinv y lstsq aceptan matrices no cuadradas, cross acepta dim.",
        ),
        (
            "{call} では、最後の 2 つの軸が正方行列でなければなりません。\n{cross} では、軸 {dim} のサイズ"
            "が 3 でなければなりません。",
            "実際のサイズは {a} と {b} です。",
            "軸が入れ替わっているか、バッチが最後に来ています。",
            "どの軸が行列かを確かめます。pinv や lstsq は正方でない行列も取れ、cross には dim を指定できます。",
        ),
    ),
    Message(
        "multinomial-rank",
        (r"prob_dist must be 1 or 2 dim",),
        (
            "multinomial takes one distribution (classes,) or a batch of them (batch, classes).",
            "The probabilities have neither 1 nor 2 axes.",
            "Usually the time axis is still there: (batch, time, vocabulary).",
            "First take the last step, probs[:, -1], or use flatten(0, 1).",
        ),
        (
            "multinomial toma una distribución (clases,) o un lote de ellas (lote, clases).",
            "Las probabilidades no tienen ni 1 ni 2 ejes.",
            "Lo habitual es que aún esté el eje de tiempo: (lote, tiempo, vocabulario).",
            "Toma antes el último paso, probs[:, -1], o usa flatten(0, 1).",
        ),
        (
            "multinomial は 1 つの分布 (クラス,) か、そのバッチ (バッチ, クラス) を取ります。",
            "確率の軸の数が 1 でも 2 でもありません。",
            "多くの場合、時間の軸が残っています ((バッチ, 時間, 語彙))。",
            "先に probs[:, -1] で最後のステップを取るか、flatten(0, 1) とします。",
        ),
    ),
)
