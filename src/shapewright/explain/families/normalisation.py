"""Batch, layer, group and instance normalization."""

from ..arithmetic import divisors_near, numbers
from ..model import Message


def _layer(field: dict[str, str]) -> dict[str, object]:
    want, shape = numbers(field["want"]), numbers(field["shape"])
    places = [axis for axis, size in enumerate(shape) if len(want) == 1 and size == want[0]]
    return {"at": places[0] if places else "", "last": shape[-len(want) :] if len(shape) >= len(want) else ""}


def _groups(field: dict[str, str]) -> dict[str, object]:
    channels = numbers(field["shape"])[1] if field.get("shape") else int(field["channels"])
    return {"channels": channels, "near": ", ".join(map(str, divisors_near(channels, int(field["groups"]))))}


MESSAGES = (
    Message(
        "batchnorm-features",
        (r"(?P<what>running_mean|running_var|weight|bias) should contain (?P<have>\d+) elements not (?P<want>\d+)",),
        (
            "Batch normalization takes axis 1 for the features: (batch, features) or (batch, features, …).",
            "The layer was made with num_features={want}, but the input has {have} (for InstanceNorm, both times the "
            "batch size).",
            "Length and features are swapped: the input came as (batch, length, features).\n"
            "The previous layer outputs {have} features.",
            "Move the features to axis 1 for the norm: norm(x.transpose(1, 2)).transpose(1, 2); or use "
            "LayerNorm({want}), another normalization, which takes the last axis.\nIf {have} is the number of "
            "features, write {have} in the constructor.",
        ),
        (
            "La normalización por lotes toma el eje 1 como características: (lote, características) o "
            "(lote, características, …).",
            "La capa se hizo con num_features={want}; la entrada tiene {have} (en InstanceNorm, ambos por el tamaño "
            "de lote).",
            "Longitud y características están intercambiadas: la entrada llegó como (lote, longitud, "
            "características).\n"
            "La capa anterior da {have} características.",
            "Lleva las características al eje 1: norm(x.transpose(1, 2)).transpose(1, 2); o usa LayerNorm({want}), "
            "otra normalización, que toma el último eje.\nSi {have} es el número de características, escríbelo en el "
            "constructor.",
        ),
        (
            "バッチ正規化は軸 1 を特徴とみなします ((バッチ, 特徴) または (バッチ, 特徴, …))。",
            "層は num_features={want} で作られていますが、入力では {have} です (InstanceNorm ではどちらもバッチサイズ"
            "倍の値です)。",
            "長さと特徴が逆で、入力が (バッチ, 長さ, 特徴) になって"
            "います。\n直前の層が {have} 個の特徴を出しています。",
            "norm(x.transpose(1, 2)).transpose(1, 2) で特徴を軸 1 に置くか、最後の軸を使う別の正規化 "
            "LayerNorm({want}) にします。\n特徴が {have} 個で正しければ、コンストラクタに {have} と書きます。",
        ),
    ),
    Message(
        "norm-rank",
        (r"expected (?P<want>[\dD or]+D) input \(got (?P<have>\d)D input\)",),
        (
            "BatchNorm1d takes (batch, features) or (batch, features, length), BatchNorm2d four axes, BatchNorm3d "
            "five.",
            "This layer expects {want} input, but the input is {have}D.",
            "The norm layer is for a different number of axes, a flatten comes before it, or the batch or channel "
            "axis is missing.",
            "Use the norm layer that matches the input, or move the flatten after the norm layer.",
        ),
        (
            "BatchNorm1d toma (lote, características) o (lote, características, longitud); BatchNorm2d cuatro ejes; "
            "BatchNorm3d cinco.",
            "Esta capa espera una entrada {want}, pero la entrada es {have}D.",
            "La capa de normalización es para otro número de ejes, hay un aplanado antes, o falta el eje de lote o "
            "de canales.",
            "Usa la normalización que corresponde a la entrada, o pon el aplanado después de la normalización.",
        ),
        (
            "BatchNorm1d は (バッチ, 特徴) か (バッチ, 特徴, 長さ)、BatchNorm2d は 4 次元、BatchNorm3d は 5 "
            "次元を取ります。",
            "この層は {want} の入力を取りますが、入力は {have} 次元です。",
            "軸の数が違う正規化を選んだか、手前に flatten があるか、バッチかチャネルの軸がありません。",
            "入力に合った正規化を使うか、flatten を正規化の後に移します。",
        ),
        sums=lambda field: {"want": field["want"].replace(" or ", "/")},
    ),
    Message(
        "norm-one-value",
        (
            r"Expected more than 1 (?P<what>value per channel|spatial element) when training, got input size "
            r"(?:torch\.Size\()?(?P<shape>\[[^\]]*\])",
        ),
        (
            "These layers subtract a mean; a single value minus its own mean is 0, so nothing would be left of it.",
            "The input has shape {shape}: each mean is over a single value.",
            "The last batch has only one sample: the data set has one sample more than a multiple of the batch "
            "size.\n"
            "Batch normalization in training mode got a single sample with one value per channel (a vector, or a 1×1 "
            "map); or instance normalization got a 1×1 map.",
            "Use DataLoader(drop_last=True), another batch size, or, for a single sample in batch normalization with "
            "running statistics, model.eval(); with small batches use GroupNorm or LayerNorm.",
        ),
        (
            "Estas capas restan una media; un solo valor menos su propia media es 0, así que no quedaría nada de él.",
            "La entrada tiene forma {shape}: cada media se calcula sobre un solo valor.",
            "El último lote tiene una sola muestra: el conjunto tiene una más que un múltiplo del tamaño de lote."
            "\n"
            "La normalización por lotes, en modo de entrenamiento, recibió una sola muestra con un valor por canal "
            "(un vector, o un mapa de 1×1); o la de instancia recibió un mapa de 1×1.",
            "Usa DataLoader(drop_last=True), otro tamaño de lote, o, con una sola muestra y normalización por lotes "
            "con estadísticas acumuladas, model.eval(); con lotes pequeños, GroupNorm o LayerNorm.",
        ),
        (
            "これらの層は平均を引きます。値が 1 つだけなら、自身の平均を引くと 0 になり、何も残りません。",
            "入力は {shape} で、平均を計算する値が 1 つずつしかありません。",
            "最後のバッチが 1 件だけです (データ数がバッチサイズの倍数より 1 多い)。\n"
            "学習モードのバッチ正規化に、チャネルごとに値が 1 つのサンプル (ベクトルか 1×1 の特徴マップ) が 1 件だけ"
            "渡ったか、インスタンス正規化に 1×1 の特徴マップが渡っています。",
            "DataLoader(drop_last=True) とする、バッチサイズを変える、移動平均の統計を持つバッチ正規化で 1 件なら "
            "model.eval() にする、小さなバッチなら GroupNorm か LayerNorm を使う、のいずれかです。",
        ),
    ),
    Message(
        "layernorm-shape",
        (
            r"Given normalized_shape=(?P<want>\[[^\]]*\]), expected input with shape \[\*,? ?[^\]]*\], but got input "
            r"of size ?(?P<shape>\[[^\]]*\])",
        ),
        (
            "LayerNorm and RMSNorm work over the last axes, whose sizes must be their normalized_shape.",
            "The layer takes {want}; the last axes of {shape} are {last}.",
            "Size {want} is at axis {at}: the axes are channels-first, or transposed.\nThe layer was sized for "
            "another model width.",
            "Set normalized_shape={last}, or move the features to the end before the layer and back after it.",
        ),
        (
            "LayerNorm y RMSNorm trabajan sobre los últimos ejes, cuyos tamaños deben ser su normalized_shape.",
            "La capa toma {want}; los últimos ejes de {shape} son {last}.",
            "El tamaño {want} está en el eje {at}: canales delante, o una trasposición.\nLa capa se dimensionó para "
            "otro ancho de modelo.",
            "Pon normalized_shape={last}, o lleva las características al final antes de la normalización y "
            "devuélvelas a su sitio después.",
        ),
        (
            "LayerNorm と RMSNorm は最後の軸に対して働き、そのサイズは normalized_shape と同じです。",
            "層は {want} を取りますが、{shape} の最後の軸は {last} です。",
            "{want} は軸 {at} にあります。チャネルが先に来ているか、転置されています。"
            "\n層が別のモデル幅で作られています。",
            "normalized_shape={last} とするか、正規化の前後で特徴の軸を最後に移して戻します。",
        ),
        sums=_layer,
    ),
    Message(
        "groupnorm",
        (
            r"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            r"(?P<shape>\[[^\]]*\]) and num_groups=(?P<groups>\d+)",
            r"num_channels \((?P<channels>\d+)\) must be divisible by num_groups \((?P<groups>\d+)\)",
        ),
        (
            "GroupNorm splits the channels (axis 1) into equal groups.",
            "{channels} channels cannot be split evenly into {groups} groups.",
            "The channel count changed, or axis 1 is not the channel axis.",
            "Choose a divisor of {channels} near {groups}: {near}.",
        ),
        (
            "GroupNorm divide los canales (eje 1) en grupos iguales.",
            "{channels} canales no se pueden dividir en {groups} grupos iguales.",
            "Cambió el número de canales, o el eje 1 no es el de canales.",
            "Elige un divisor de {channels} cercano a {groups}: {near}.",
        ),
        (
            "GroupNorm はチャネル (軸 1) を同じサイズのグループに分けます。",
            "{channels} チャネルは {groups} グループに等分できません。",
            "チャネル数が変わったか、軸 1 がチャネルではありません。",
            "{groups} に近い {channels} の約数を選びます: {near}。",
        ),
        sums=_groups,
    ),
)
