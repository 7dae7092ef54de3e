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
            "The axes that tensordot sums over must have the same size in both tensors (or size 1 in one of them). "
            "For vmap, the mapped axis must have the same size in all inputs.",
            "Axis {i} of the first tensor has size {a}, axis {j} of the second has size {b}.\nThe sizes are {sizes}.",
            "The axes of the two tensors are listed in a different order, or an operand is transposed.",
            "Print both shapes and state which axes belong together: torch.tensordot(a, b, dims=([axis of a], [axis "
            "of b])). For vmap set in_dims.",
        ),
        (
            "Los ejes que suma tensordot deben tener el mismo tamaño en los dos tensores (o tamaño 1 en uno de "
            "ellos). En vmap, el eje que se recorre debe tener el mismo tamaño en todas las entradas.",
            "El eje {i} del primer tensor tiene tamaño {a} y el eje {j} del segundo, {b}.\nLos tamaños son {sizes}.",
            "Los ejes de los dos tensores se indican en distinto orden, o un operando está traspuesto.",
            "Imprime ambas formas e indica qué ejes se corresponden: torch.tensordot(a, b, dims=([eje de a], [eje de "
            "b])). En vmap indica in_dims.",
        ),
        (
            "tensordot が和を取る軸のサイズは、2 つのテンソルで同じでなければなりません (片方は 1 でもかまいません)。"
            "vmap がたどる軸のサイズは、すべての入力で同じでなければなりません。",
            "1 つ目のテンソルの軸 {i} のサイズは {a}、2 つ目の軸 {j} は {b} です。\nサイズは {sizes} です。",
            "2 つのテンソルで軸を指定する順序が違うか、オペランドが転置されています。",
            "両方の形状を表示し、どの軸どうしが対応するかを指定します: torch.tensordot(a, b, dims=([a の軸], [b の軸"
            "]))。vmap なら in_dims を指定します。",
        ),
    ),
    Message(
        "pairwise-columns",
        (r"X1 and X2 must have the same number of columns\. X1: (?P<a>\d+) X2: (?P<b>\d+)",),
        (
            "cdist computes distances between vectors along the last axis, which must have the same size in both "
            "operands.",
            "The last axis has size {a} in one operand and {b} in the other.",
            "The vectors come from two encoders with different numbers of features, or an operand is transposed.",
            "Project both operands to the same number of features with a Linear layer, or undo a wrong transpose.",
        ),
        (
            "cdist calcula distancias entre vectores del último eje, que debe tener el mismo tamaño en ambos "
            "operandos.",
            "El último eje tiene tamaño {a} en un operando y {b} en el otro.",
            "Los vectores vienen de dos codificadores con distinto número de características, o un operando está "
            "traspuesto.",
            "Proyecta ambos operandos al mismo número de características con una capa Linear, o deshaz una "
            "trasposición equivocada.",
        ),
        (
            "cdist は最後の軸に並ぶベクトルどうしの距離を計算します。最後の軸のサイズは、両方のオペランドで等しくなけ"
            "ればなりません。",
            "最後の軸のサイズが、片方は {a}、もう片方は {b} です。",
            "ベクトルを出した 2 つのエンコーダの特徴数が違うか、オペランドが転置されています。",
            "両方のオペランドを Linear 層で同じ特徴数に射影するか、間違った転置を元に戻します。",
        ),
    ),
    Message(
        "bilinear-features",
        (r"bilinear\(\): (?P<what>input\d) size does not match weight size: got (?P<a>\d+) but expected (?P<b>\d+)",),
        (
            "nn.Bilinear(in1_features, in2_features, out_features): the last axis of input1 must have size "
            "in1_features, and the last axis of input2 must have size in2_features.",
            "The last axis of {what} has size {a}; the layer was created for {b}.",
            "The layer was created for inputs of other sizes, the two inputs are swapped, or an input is transposed.",
            "Set in1_features and in2_features to the sizes of the inputs, or swap the inputs.",
        ),
        (
            "nn.Bilinear(in1_features, in2_features, out_features): el último eje de input1 debe tener tamaño "
            "in1_features, y el de input2, in2_features.",
            "El último eje de {what} tiene tamaño {a}; la capa se creó para {b}.",
            "La capa se creó para entradas de otros tamaños, las dos entradas están intercambiadas, o una entrada "
            "está traspuesta.",
            "Pon in1_features e in2_features según los tamaños de las entradas, o intercambia las entradas.",
        ),
        (
            "nn.Bilinear(in1_features, in2_features, out_features) では、input1 の最後の軸のサイズは in1_features、"
            "input2 の最後の軸のサイズは in2_features でなければなりません。",
            "{what} の最後の軸のサイズは {a} ですが、層は {b} 用に作られています。",
            "層が別のサイズの入力に合わせて作られているか、2 つの入力が逆か、入力が転置されています。",
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
            "The axes are in the wrong order, or the batch axis is the last one.",
            "Check which axes form the matrix. For matrices that are not square, pinv and lstsq work. For cross, "
            "pass the correct dim.",
        ),
        (
            "{call} espera matrices cuadradas en los dos últimos ejes.\n{cross} espera tamaño 3 en el eje {dim}.",
            "Los tamaños son {a} y {b}.",
            "Los ejes están en un orden incorrecto, o el eje de lote es el último.",
            "Comprueba qué ejes forman la matriz. Con matrices no cuadradas funcionan pinv y lstsq. En cross, indica "
            "el dim correcto.",
        ),
        (
            "{call} では、最後の 2 つの軸のサイズが同じ (正方行列) でなければなりません。\n{cross} では、軸 {dim} の"
            "サイズが 3 でなければなりません。",
            "実際のサイズは {a} と {b} です。",
            "軸の順序が違うか、バッチの軸が最後になっています。",
            "どの軸が行列かを確かめます。正方でない行列には pinv や lstsq が使えます。cross には正しい dim を指定しま"
            "す。",
        ),
    ),
    Message(
        "multinomial-rank",
        (r"prob_dist must be 1 or 2 dim",),
        (
            "multinomial expects one distribution (classes,) or a batch of distributions (batch, classes).",
            "The probabilities have neither 1 nor 2 axes.",
            "Usually the probabilities still have a time axis: (batch, time, vocabulary).",
            "To sample the next token, first take the last step: probs[:, -1]. To sample at every step, use "
            "probs.flatten(0, 1).",
        ),
        (
            "multinomial espera una distribución (clases,) o un lote de distribuciones (lote, clases).",
            "Las probabilidades no tienen ni 1 ni 2 ejes.",
            "Lo habitual es que las probabilidades aún tengan un eje de tiempo: (lote, tiempo, vocabulario).",
            "Para muestrear el token siguiente, toma antes el último paso: probs[:, -1]. Para muestrear en cada "
            "paso, usa probs.flatten(0, 1).",
        ),
        (
            "multinomial には、1 つの分布 (クラス,) か、分布のバッチ (バッチ, クラス) を渡します。",
            "確率の軸の数が 1 でも 2 でもありません。",
            "多くの場合、確率に時間の軸が残っています ((バッチ, 時間, 語彙))。",
            "次のトークンをサンプリングするなら、先に probs[:, -1] で最後のステップを取ります。全ステップでサンプリン"
            "グするなら probs.flatten(0, 1) とします。",
        ),
    ),
)
