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
            "Shapes are lined up from the right; on each axis the sizes must be equal, or one of them 1 "
            "(in a matrix product, on all axes but the last two).",
            "One operand has size {a}, the other {b}.\nThe sizes conflict on axis {dim} of the longer shape.",
            "A batch axis is aligned with a feature or time axis: one operand needs unsqueeze or a transpose.\n"
            "A residual or skip connection adds a path whose channels or size changed.\nOne element too many or too "
            "few: {off_by_one} "
            "(an odd size halved and doubled again, or a shifted sequence).\nOne size is a multiple of the other: "
            "{ratio}.",
            "Decide what the sizes {a} and {b} count, and put the axes of both operands in the same order.\nWhere a "
            "decoder mirrors an encoder, set padding and output_padding so that {a} and {b} become equal.",
        ),
        (
            "Las formas se alinean por la derecha; en cada eje los tamaños deben coincidir o uno valer 1 "
            "(en un producto de matrices, en todos los ejes menos los dos últimos).",
            "Un operando tiene tamaño {a} y el otro {b}.\nLos tamaños chocan en el eje {dim} de la forma más larga.",
            "Un eje de lote coincide con uno de características o de tiempo: falta un unsqueeze o una trasposición.\n"
            "Una conexión residual suma un camino cuyos canales o tamaño cambiaron.\nSobra o falta un elemento: "
            "{off_by_one} "
            "(un tamaño impar dividido y vuelto a duplicar, o una secuencia desplazada).\nUn tamaño es múltiplo del "
            "otro: {ratio}.",
            "Decide qué cuentan los tamaños {a} y {b}, y pon los ejes de ambos operandos en el mismo orden.\nSi un "
            "decodificador refleja un codificador, ajusta padding y output_padding para que {a} y {b} sean iguales.",
        ),
        (
            "形状は右端で揃えられます。各軸のサイズは同じか、どちらかが 1 でなければなりません (行列積では、"
            "最後の 2 つを除く軸について)。",
            "片方は {a}、もう片方は {b} です。\n長い方の形状の軸 {dim} で食い違っています。",
            "バッチの軸が、もう一方の特徴や時間の軸と同じ位置にあります。unsqueeze か転置が必要です。\n"
            "残差接続で、チャネル数やサイズの変わった経路を足しています。\n要素が 1 つ多いか少ないです: {off_by_one} "
            "(奇数を半分にして倍に戻した、系列をずらしたなど)。\n一方が他方の倍数です: {ratio}。",
            "サイズ {a} と {b} がそれぞれ何の数かを確かめ、両方の軸を同じ順に揃えます。\nデコーダで元のサイズに戻すな"
            "ら、padding と output_padding で {a} と {b} を等しくします。",
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
            "expand, and an assignment into a slice, enlarge only axes of size 1 (or add axes in front); every "
            "other axis must already have the requested size (in expand, -1 keeps it).",
            "On axis {dim} of the target shape, size {a} is requested, but the tensor has size {b} there.\nThe "
            "tensor has shape {shape}, the target shape is {target}.",
            "The tensor was made for a different batch size or length.\nThe axis should have size 1: keepdim=True or "
            "unsqueeze is missing.\nA GPT-2-style model was given more tokens than its position table or mask has "
            "room for.",
            "Make the tensor with size {a}, or insert the axis of size 1 that is to be expanded.",
        ),
        (
            "expand, y una asignación a un corte, solo amplían ejes de tamaño 1 (o añaden ejes delante); los "
            "demás ya deben tener el tamaño pedido (en expand, -1 lo conserva).",
            "En el eje {dim} de la forma de destino se pide el tamaño {a}, pero ahí el tensor tiene {b}.\nEl "
            "tensor tiene forma {shape}; la forma de destino es {target}.",
            "El tensor se creó para otro tamaño de lote u otra longitud.\nEl eje debía tener tamaño 1: falta "
            "keepdim=True o unsqueeze.\nUn modelo tipo GPT-2 recibió más tokens de los que caben en su tabla de "
            "posiciones o su máscara.",
            "Crea el tensor con tamaño {a}, o inserta el eje de tamaño 1 que se va a expandir.",
        ),
        (
            "expand やスライスへの代入で引き伸ばせるのはサイズ 1 の軸だけです (先頭に軸を加えることはできます)。"
            "ほかの軸は最初から目的のサイズでなければなりません (expand では -1 でそのまま)。",
            "目的の形状の軸 {dim} のサイズは {a} ですが、対応するテンソルの軸は {b} です。\nテンソルの形状は "
            "{shape}、目的の形状は {target} です。",
            "テンソルが別のバッチサイズや長さに合わせて作られています。\nサイズ 1 のはずの軸です。keepdim=True か "
            "unsqueeze が抜けています。\nGPT-2 系のモデルで、位置表やマスクより長い入力が渡されています。",
            "テンソルをサイズ {a} で作るか、引き伸ばす軸 (サイズ 1) を挿入します。",
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
            "The target of expand, repeat or an assignment needs at least as many axes as the tensor; additional ones "
            "go in front (an assignment to x[…] also takes a value with extra leading axes of size 1).",
            "The number of axes is {a} in the target and {b} in the tensor.\nThe call was {what}.",
            "The tensor has one axis more than expected, often a batch axis.",
            "Remove the extra axis with squeeze(dim) first, or pass one number per axis (-1 in expand and "
            "1 in repeat leave an axis unchanged).",
        ),
        (
            "El destino de expand, repeat o una asignación necesita al menos tantos ejes como el tensor; los "
            "adicionales van delante (una asignación a x[…] admite también un valor con ejes de tamaño 1 de más "
            "delante).",
            "El número de ejes es {a} en el destino y {b} en el tensor.\nLa llamada fue {what}.",
            "El tensor tiene un eje más de lo pensado, a menudo el de lote.",
            "Quita antes el eje sobrante con squeeze(dim), o pasa un número por eje (-1 en expand y 1 en "
            "repeat dejan un eje igual).",
        ),
        (
            "expand、repeat、代入の結果には、元のテンソル以上の数の軸が必要です。増えた分は先頭の軸になります (x[…] "
            "への代入では、値の先頭にサイズ 1 の軸が余分にあってもかまいません)。",
            "結果の軸は {a} つ、テンソルの軸は {b} つです。\n呼び出しは {what} です。",
            "思っていたより軸が 1 つ多いテンソルです。多くはバッチの軸です。",
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
            "The right side has more axes or a larger axis: usually a batch added to a single vector, or a mask with "
            "an extra axis.\n"
            "ToTensor and Normalize with three channel means on a grayscale image give exactly this ([1, h, w] against "
            "[3, h, w]).",
            "Write x = x + y if {target} is expected; otherwise bring the right side to {shape}.",
        ),
        (
            "Las operaciones in-place como add_, += y masked_fill_ conservan la forma de su lado izquierdo.",
            "El lado izquierdo tiene forma {shape}; los operandos dan {target} por broadcasting.",
            "El lado derecho tiene más ejes o un eje mayor: suele ser un lote sumado a un solo vector, o una "
            "máscara con un eje de más.\nToTensor y Normalize con tres medias de canal sobre una imagen en grises "
            "dan justo esto ([1, h, w] con [3, h, w]).",
            "Escribe x = x + y si quieres {target}; si no, lleva el lado derecho a {shape}.",
        ),
        (
            "add_、+=、masked_fill_ などのインプレース演算では、左辺の形状は変わりません。",
            "左辺の形状は {shape} ですが、ブロードキャストすると {target} になります。",
            "右辺の軸が多いか大きいです。1 つのベクトルにバッチを足した、マスクに余分な軸があるなどが典型です。\n"
            "グレースケール画像に ToTensor と 3 チャネル分の平均の Normalize をかけたときもこうなります ([1, h, w] "
            "と [3, h, w])。",
            "{target} が欲しければ x = x + y と書き、そうでなければ右辺を {shape} に揃えます。",
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
            "Aligned from the right, the sizes of the value and its destination must be equal, or the value's must "
            "be 1 (with a distribution, either may be 1).",
            "The value has shape {value}, its destination {place}.",
            "The value was made for a different batch size than its destination, or one of them has an "
            "extra axis of size 1.\nA Categorical made from (batch, actions) expects values of shape "
            "(batch,).",
            "Bring the value from {value} to {place} (by reshape or squeeze(-1), if it has as many elements), or "
            "build both from the same batch.",
        ),
        (
            "Alineados por la derecha, los tamaños del valor y de su destino deben ser iguales, o el del valor "
            "debe ser 1 (con una distribución, cualquiera de los dos).",
            "El valor tiene forma {value}; su destino, {place}.",
            "El valor se creó para un tamaño de lote distinto del de su destino, o uno de los dos lleva un "
            "eje de más de tamaño 1.\nUna Categorical hecha de (lote, acciones) espera valores de forma "
            "(lote,).",
            "Lleva el valor de {value} a {place} (con reshape o squeeze(-1), si tiene los mismos elementos), o crea "
            "ambos a partir del mismo lote.",
        ),
        (
            "右端から見て、値と代入先のサイズが等しいか、値の側が 1 でなければなりません (分布ではどちらの側が 1 で"
            "もかまいません)。",
            "値の形状は {value}、代入先は {place} です。",
            "値と代入先でバッチが違うか、どちらかにサイズ 1 の余分な軸があります。\n(バッチ, 行動) から作っ"
            "た Categorical には (バッチ,) の値を渡します。",
            "値の形状を {value} から {place} に揃える (要素数が同じなら reshape や squeeze(-1)) か、同じバッチから両"
            "方を作ります。",
        ),
    ),
)
