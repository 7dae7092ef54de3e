"""Elementwise operations between shapes that do not fit, and expand."""

from ..arithmetic import numbers, ratio
from ..model import Message


def _pair(field: dict[str, str]) -> dict[str, object]:
    one, other = int(field["a"]), int(field["b"])
    return {"ratio": ratio(one, other), "off_by_one": f"|{one} - {other}| = 1" if abs(one - other) == 1 else ""}


def _expand(field: dict[str, str]) -> dict[str, object]:
    return (
        {"target": numbers(field["target"]), "shape": numbers(field["shape"])}
        if field.get("target")
        else {"target": "", "shape": ""}
    )


MESSAGES = (
    Message(
        "broadcast",
        (
            r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\) at non-singleton "
            r"dimension (?P<dim>\d+)",
            r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\)",
        ),
        (
            "Shapes are aligned from the right; on each axis the sizes must be equal, or one of them must be 1 (in a "
            "matrix product, this holds for all axes but the last two).",
            "One operand has size {a}, the other {b}.\nThe sizes differ on axis {dim} of the longer shape.",
            "The batch axis of one operand is aligned with a feature or time axis of the other: one operand needs "
            "unsqueeze or a transpose.\nA residual or skip connection adds tensors with different channels or "
            "sizes.\nThere is one element too many or too few: {off_by_one} (an odd size was halved and doubled "
            "again, or a sequence was shifted).\nOne size is a multiple of the other: {ratio}.",
            "Find out what the sizes {a} and {b} count, and put the axes of both operands in the same order.\nIf a "
            "decoder has to restore the size of the encoder's input, set padding and output_padding so that {a} and "
            "{b} become equal.",
        ),
        (
            "Las formas se alinean por la derecha; en cada eje los tamaños deben ser iguales o uno debe ser 1 (en un "
            "producto de matrices, esto vale para todos los ejes menos los dos últimos).",
            "Un operando tiene tamaño {a} y el otro {b}.\nLos tamaños difieren en el eje {dim} de la forma más larga.",
            "El eje de lote de un operando se alinea con un eje de características o de tiempo del otro: falta un "
            "unsqueeze o una trasposición.\nUna conexión residual suma tensores con distintos canales o tamaños.\n"
            "Sobra o falta un elemento: {off_by_one} (un tamaño impar se dividió entre dos y se volvió a duplicar, o "
            "se desplazó una secuencia).\nUn tamaño es múltiplo del otro: {ratio}.",
            "Averigua qué cuentan los tamaños {a} y {b}, y pon los ejes de ambos operandos en el mismo orden.\nSi un "
            "decodificador debe recuperar el tamaño de la entrada del codificador, ajusta padding y output_padding "
            "para que {a} y {b} sean iguales.",
        ),
        (
            "形状は右端で揃えられます。各軸のサイズは同じか、どちらかが 1 でなければなりません (行列積では、最後の 2 "
            "つの軸を除く)。",
            "一方のオペランドのサイズは {a}、もう一方は {b} です。\n長い方の形状の軸 {dim} でサイズが食い違っていま"
            "す。",
            "片方のバッチの軸が、もう一方の特徴や時間の軸と同じ位置にあります。unsqueeze か転置が必要です。\n残差接続"
            "で、チャネル数やサイズの違うテンソルを足しています。\n要素が 1 つ多いか少ないです: {off_by_one} (奇数を"
            "半分にして倍に戻した、系列をずらしたなど)。\n一方が他方の倍数です: {ratio}。",
            "サイズ {a} と {b} がそれぞれ何の数かを確かめ、両方の軸を同じ順に揃えます。\nデコーダでエンコーダの入力の"
            "サイズに戻す場合は、padding と output_padding で {a} と {b} を等しくします。",
        ),
        sums=_pair,
    ),
    Message(
        "expand",
        (
            r"The expanded size of the tensor \((?P<a>\d+)\) must match the existing size \((?P<b>\d+)\) at "
            r"non-singleton dimension (?P<dim>\d+)\."
            r"\s+Target sizes: (?P<target>\[[^\]]*\])\.\s+Tensor sizes: (?P<shape>\[[^\]]*\])",
        ),
        (
            "expand and an assignment to a slice can enlarge only axes of size 1 (and add axes in front); every "
            "other axis must already have the requested size (in expand, -1 keeps the size).",
            "On axis {dim} of the target shape, size {a} is requested, but the tensor has size {b} there.\nThe "
            "tensor has shape {shape}, the target shape is {target}.",
            "The tensor was made for a different batch size or length.\nThe axis should have size 1: keepdim=True or "
            "unsqueeze is missing.\nA model with learned positions (such as GPT-2) got more tokens than its position "
            "table or mask has entries.",
            "Create the tensor with size {a} on this axis, or insert an axis of size 1 with unsqueeze.",
        ),
        (
            "expand y una asignación a un slice solo pueden ampliar ejes de tamaño 1 (y añadir ejes delante); los "
            "demás ya deben tener el tamaño pedido (en expand, -1 conserva el tamaño).",
            "En el eje {dim} de la forma de destino se pide el tamaño {a}, pero el tensor tiene ahí tamaño {b}.\nEl "
            "tensor tiene forma {shape}; la forma de destino es {target}.",
            "El tensor se creó para otro tamaño de lote u otra longitud.\nEl eje debía tener tamaño 1: falta "
            "keepdim=True o unsqueeze.\nUn modelo con posiciones aprendidas (como GPT-2) recibió más tokens que "
            "entradas tiene su tabla de posiciones o su máscara.",
            "Crea el tensor con tamaño {a} en este eje, o inserta un eje de tamaño 1 con unsqueeze.",
        ),
        (
            "expand やスライスへの代入で拡張できるのはサイズ 1 の軸だけです (先頭に軸を加えることはできます)。ほかの"
            "軸は最初から目的のサイズでなければなりません (expand では -1 でサイズがそのまま残ります)。",
            "目的の形状の軸 {dim} のサイズは {a} ですが、対応するテンソルの軸は {b} です。\nテンソルの形状は "
            "{shape}、目的の形状は {target} です。",
            "テンソルが別のバッチサイズや長さに合わせて作られています。\nサイズ 1 のはずの軸です。keepdim=True か "
            "unsqueeze が抜けています。\n学習型の位置埋め込みを持つモデル (GPT-2 など) に、位置埋め込みの表やマスクよ"
            "り長い入力を渡しています。",
            "この軸のサイズを {a} としてテンソルを作るか、unsqueeze でサイズ 1 の軸を挿入します。",
        ),
        sums=_expand,
    ),
    Message(
        "expand-rank",
        (
            r"the number of sizes provided \((?P<a>\d+)\) must be greater or equal to the number of dimensions in the "
            r"tensor \((?P<b>\d+)\)",
            r"Number of dimensions of (?P<what>repeat) dims can not be smaller than number of dimensions of tensor",
        ),
        (
            "The target of expand, repeat or an assignment needs at least as many axes as the tensor; additional "
            "axes are added in front (in an assignment to x[…], the value may also have extra leading axes of size "
            "1).",
            "The number of axes is {a} in the target and {b} in the tensor.\nThe call was {what}().",
            "The tensor has one axis more than expected, often a batch axis.",
            "First remove the extra axis with squeeze(dim), or pass one number per axis (in expand, -1 leaves an "
            "axis unchanged; in repeat, 1 does).",
        ),
        (
            "El destino de expand, repeat o una asignación necesita al menos tantos ejes como el tensor; los ejes "
            "adicionales se añaden delante (en una asignación a x[…], el valor también puede tener delante ejes de "
            "más de tamaño 1).",
            "El número de ejes es {a} en el destino y {b} en el tensor.\nLa llamada fue {what}().",
            "El tensor tiene un eje más de lo pensado, a menudo el de lote.",
            "Quita antes el eje sobrante con squeeze(dim), o pasa un número por eje (en expand, -1 deja un eje "
            "igual; en repeat, 1).",
        ),
        (
            "expand、repeat の結果や代入先には、元のテンソル以上の数の軸が必要です。増えた軸は先頭に加わります (x[…] "
            "への代入では、値の先頭にサイズ 1 の軸が余分にあってもかまいません)。",
            "結果の軸は {a} つ、テンソルの軸は {b} つです。\n呼び出しは {what}() です。",
            "テンソルの軸が想定より 1 つ多いです (多くはバッチの軸)。",
            "先に余分な軸を squeeze(dim) で除くか、軸ごとに 1 つずつ数を渡します (変えない軸は expand なら "
            "-1、repeat なら 1)。",
        ),
    ),
    Message(
        "inplace-broadcast",
        (r"output with shape (?P<shape>\[[^\]]*\]) doesn't match the broadcast shape (?P<target>\[[^\]]*\])",),
        (
            "In-place operations such as add_, += and masked_fill_ keep the shape of their left side.",
            "The left side has shape {shape}; the operands broadcast to {target}.",
            "The right side has more axes or a larger axis: often a batch is added to a single vector, or a mask has "
            "an extra axis.\nNormalize with means for three channels is applied to a grayscale image ([1, h, w] "
            "instead of [3, h, w]).",
            "If the result should have shape {target}, write x = x + y; otherwise bring the right side to shape "
            "{shape}.\nFor a grayscale image, give Normalize one mean and one standard deviation, or convert the "
            "image to RGB.",
        ),
        (
            "Las operaciones in-place como add_, += y masked_fill_ conservan la forma de su lado izquierdo.",
            "El lado izquierdo tiene forma {shape}; los operandos dan {target} por broadcasting.",
            "El lado derecho tiene más ejes o un eje mayor: a menudo se suma un lote a un solo vector, o una máscara "
            "tiene un eje de más.\nNormalize con medias para tres canales se aplica a una imagen en escala de grises "
            "([1, h, w] en vez de [3, h, w]).",
            "Si quieres un resultado de forma {target}, escribe x = x + y; si no, lleva el lado derecho a la forma "
            "{shape}.\nCon una imagen en escala de grises, da a Normalize una sola media y una sola desviación "
            "típica, o convierte la imagen a RGB.",
        ),
        (
            "add_、+=、masked_fill_ などのインプレース演算では、左辺の形状は変わりません。",
            "左辺の形状は {shape} ですが、ブロードキャストすると {target} になります。",
            "右辺の軸が多いか、軸のサイズが大きくなっています。1 つのベクトルにバッチを足した、マスクに余分な軸があ"
            "る、などが典型です。\n3 チャネル分の平均を持つ Normalize をグレースケール画像 ([3, h, w] ではなく [1, "
            "h, w]) に適用しています。",
            "結果の形状を {target} にしたければ x = x + y と書き、そうでなければ右辺の形状を {shape} に揃えます。\nグ"
            "レースケール画像なら、Normalize に平均と標準偏差を 1 つずつ渡すか、画像を RGB に変換します。",
        ),
    ),
    Message(
        "value-broadcast",
        (
            r"shape mismatch: value tensor of shape (?P<value>\[[^\]]*\]) cannot be broadcast to indexing result of "
            r"shape (?P<place>\[[^\]]*\])",
            r"Value is not broadcastable with batch_shape\+event_shape: torch\.Size\((?P<value>\[[^\]]*\])\) vs "
            r"torch\.Size\((?P<place>\[[^\]]*\])\)",
        ),
        (
            "Aligned from the right, the sizes of the value and of its destination must be equal, or the value's "
            "size must be 1 (for a distribution, either size may be 1).",
            "The value has shape {value}; its destination has shape {place}.",
            "The value and its destination have different batch sizes, or one of them has an extra axis of size 1.\n"
            "A Categorical made from (batch, actions) expects values of shape (batch,).",
            "Change the shape of the value from {value} to {place} (with reshape or squeeze(-1), if the number of "
            "elements is the same), or create both from the same batch.",
        ),
        (
            "Alineados por la derecha, los tamaños del valor y de su destino deben ser iguales, o el del valor debe "
            "ser 1 (en una distribución, puede ser 1 cualquiera de los dos).",
            "El valor tiene forma {value}; su destino tiene forma {place}.",
            "El valor y su destino tienen tamaños de lote distintos, o uno de los dos tiene un eje de más de tamaño "
            "1.\nUna Categorical hecha de (lote, acciones) espera valores de forma (lote,).",
            "Cambia la forma del valor de {value} a {place} (con reshape o squeeze(-1), si el número de elementos es "
            "el mismo), o crea ambos a partir del mismo lote.",
        ),
        (
            "右端から見て、値と代入先のサイズが等しいか、値の側が 1 でなければなりません (分布ではどちらの側が 1 で"
            "もかまいません)。",
            "値の形状は {value}、代入先の形状は {place} です。",
            "値と代入先でバッチサイズが違うか、どちらかにサイズ 1 の余分な軸があります。\n(バッチ, 行動) から作った "
            "Categorical には (バッチ,) の値を渡します。",
            "値の形状を {value} から {place} に揃える (要素数が同じなら reshape や squeeze(-1)) か、同じバッチから両"
            "方を作ります。",
        ),
    ),
)
