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
            "Batch normalization reads axis 1 as the features: (batch, features) or (batch, features, …).",
            "The layer has num_features={want}, but the input has {have} features (for InstanceNorm, both numbers "
            "are multiplied by the batch size).",
            "The axes for length and features are swapped: the input is (batch, length, features).\nThe previous "
            "layer outputs {have} features.",
            "Move the features to axis 1 and back: norm(x.transpose(1, 2)).transpose(1, 2). Or use LayerNorm({want}"
            "), a different normalization, which reads the last axis as the features.\nIf {have} is the correct "
            "number of features, set num_features={have}.",
        ),
        (
            "La normalización por lotes lee el eje 1 como características: (lote, características) o (lote, "
            "características, …).",
            "La capa tiene num_features={want}, pero la entrada tiene {have} características (en InstanceNorm, ambos "
            "números están multiplicados por el tamaño de lote).",
            "Los ejes de longitud y de características están intercambiados: la entrada es (lote, longitud, "
            "características).\nLa capa anterior da {have} características.",
            "Lleva las características al eje 1 y de vuelta: norm(x.transpose(1, 2)).transpose(1, 2). O usa "
            "LayerNorm({want}), una normalización distinta, que lee el último eje como características.\nSi {have} "
            "es el número correcto de características, pon num_features={have}.",
        ),
        (
            "バッチ正規化は軸 1 を特徴とみなします ((バッチ, 特徴) または (バッチ, 特徴, …))。",
            "層は num_features={want} ですが、入力の特徴は {have} 個です (InstanceNorm では、どちらの数にもバッチサイ"
            "ズが掛かっています)。",
            "長さの軸と特徴の軸が逆で、入力が (バッチ, 長さ, 特徴) になっています。\n直前の層が {have} 個の特徴を出し"
            "ています。",
            "norm(x.transpose(1, 2)).transpose(1, 2) で特徴を軸 1 に移して戻します。または、最後の軸を特徴として読む"
            "別の正規化 LayerNorm({want}) を使います。\n特徴が {have} 個で正しければ num_features={have} とします。",
        ),
    ),
    Message(
        "norm-rank",
        (r"expected (?P<want>[\dD or]+D) input \(got (?P<have>\d)D input\)",),
        (
            "BatchNorm1d expects (batch, features) or (batch, features, length); BatchNorm2d expects four axes, "
            "BatchNorm3d five.",
            "This layer expects {want} input, but the input is {have}D.",
            "The normalization layer is for a different number of axes, a flatten comes before the layer, or the "
            "batch or channel axis is missing.",
            "Use the normalization layer for this number of axes, or move the flatten after the layer.",
        ),
        (
            "BatchNorm1d espera (lote, características) o (lote, características, longitud); BatchNorm2d espera "
            "cuatro ejes; BatchNorm3d, cinco.",
            "Esta capa espera una entrada {want}, pero la entrada es {have}D.",
            "La capa de normalización es para otro número de ejes, hay un flatten antes de la capa, o falta el eje "
            "de lote o de canales.",
            "Usa la capa de normalización para este número de ejes, o pon el flatten después de la capa.",
        ),
        (
            "BatchNorm1d の入力は (バッチ, 特徴) か (バッチ, 特徴, 長さ)、BatchNorm2d は 4 次元、BatchNorm3d は 5 次"
            "元です。",
            "この層には {want} の入力が必要ですが、入力は {have}D です。",
            "軸の数が違う入力用の正規化層を使っているか、層の前に flatten があるか、バッチかチャネルの軸がありません。",
            "この軸の数に合った正規化層を使うか、flatten を正規化層の後に移します。",
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
            "Normalization subtracts the mean. The mean of a single value is the value itself, so the normalized "
            "value would always be 0.",
            "The input has shape {shape}: each mean would be computed from a single value.",
            "The last batch has only one sample, because dividing the number of samples by the batch size leaves a "
            "remainder of 1.\nBatch normalization in training mode got a single sample with one value per channel (a "
            "vector or a 1×1 feature map), or instance normalization got a 1×1 feature map.",
            "In training, use DataLoader(drop_last=True) or a different batch size, or GroupNorm or LayerNorm for "
            "small batches. To run a single sample without training, call model.eval() first. Instance normalization "
            "needs a larger feature map.",
        ),
        (
            "La normalización resta la media. La media de un solo valor es ese mismo valor, así que el valor "
            "normalizado sería siempre 0.",
            "La entrada tiene forma {shape}: cada media se calcularía con un solo valor.",
            "El último lote tiene una sola muestra, porque al dividir el número de muestras entre el tamaño de lote "
            "queda un resto de 1.\nLa normalización por lotes en modo de entrenamiento recibió una sola muestra con "
            "un valor por canal (un vector o un mapa de características de 1×1), o la normalización por instancias "
            "recibió un mapa de 1×1.",
            "Al entrenar, usa DataLoader(drop_last=True) u otro tamaño de lote, o GroupNorm o LayerNorm si los lotes "
            "son pequeños. Para ejecutar una sola muestra sin entrenar, llama antes a model.eval(). La normalización "
            "por instancias necesita un mapa de características mayor.",
        ),
        (
            "正規化では平均を引きます。値が 1 つだけなら平均はその値自身なので、正規化した値は必ず 0 になります。",
            "入力の形状は {shape} で、どの平均も 1 つの値から計算することになります。",
            "サンプル数をバッチサイズで割った余りが 1 のため、最後のバッチが 1 サンプルだけです。\n学習モードのバッチ"
            "正規化に、チャネルごとに値が 1 つのサンプル (ベクトルか 1×1 の特徴マップ) を 1 つだけ渡したか、インスタ"
            "ンス正規化に 1×1 の特徴マップを渡しています。",
            "学習では、DataLoader(drop_last=True) とするか、バッチサイズを変えるか、小さなバッチに使える GroupNorm か"
            " LayerNorm にします。学習せずに 1 サンプルを実行するなら、先に model.eval() を呼びます。インスタンス正規"
            "化には、より大きな特徴マップが必要です。",
        ),
    ),
    Message(
        "layernorm-shape",
        (
            r"Given normalized_shape=(?P<want>\[[^\]]*\]), expected input with shape \[\*,? ?[^\]]*\], but got input "
            r"of size ?(?P<shape>\[[^\]]*\])",
        ),
        (
            "LayerNorm and RMSNorm normalize over the last axes; the sizes of these axes must equal normalized_shape.",
            "The layer has normalized_shape={want}, but the last axes of the input {shape} have sizes {last}.",
            "Axis {at} has size {want}: the channels come before the other axes, or two axes are swapped.\nThe layer "
            "was made for a different number of features.",
            "If {last} is correct, set normalized_shape={last}. If the features are on a different axis, move them "
            "to the end before the layer and back after the layer.",
        ),
        (
            "LayerNorm y RMSNorm normalizan sobre los últimos ejes; los tamaños de estos ejes deben ser iguales a "
            "normalized_shape.",
            "La capa tiene normalized_shape={want}, pero los últimos ejes de la entrada {shape} tienen tamaños {last}.",
            "El eje {at} tiene tamaño {want}: los canales están delante de los demás ejes, o hay dos ejes "
            "intercambiados.\nLa capa se hizo para otro número de características.",
            "Si {last} es lo correcto, pon normalized_shape={last}. Si las características están en otro eje, "
            "llévalas al final antes de la capa y devuélvelas a su sitio después.",
        ),
        (
            "LayerNorm と RMSNorm は最後の軸 (複数も可) で正規化します。その軸のサイズは normalized_shape と同じでな"
            "ければなりません。",
            "層は normalized_shape={want} ですが、入力 {shape} の最後の軸のサイズは {last} です。",
            "軸 {at} のサイズが {want} です。チャネルがほかの軸より前にあるか、2 つの軸が入れ替わっています。\n層が別"
            "の特徴数に合わせて作られています。",
            "{last} が正しければ normalized_shape={last} とします。特徴が別の軸にあるなら、層の前で最後の軸に移し、層"
            "の後で元に戻します。",
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
            "GroupNorm splits the channels (axis 1) into groups of equal size.",
            "{channels} channels cannot be split evenly into {groups} groups.",
            "The number of channels was changed, or axis 1 is not the channel axis.",
            "For num_groups, choose a divisor of {channels} near {groups}: {near}.",
        ),
        (
            "GroupNorm divide los canales (eje 1) en grupos de igual tamaño.",
            "{channels} canales no se pueden dividir en {groups} grupos iguales.",
            "Cambió el número de canales, o el eje 1 no es el de canales.",
            "Para num_groups, elige un divisor de {channels} cercano a {groups}: {near}.",
        ),
        (
            "GroupNorm はチャネル (軸 1) を同じサイズのグループに分けます。",
            "{channels} チャネルは {groups} グループに等分できません。",
            "チャネル数が変わったか、軸 1 がチャネルではありません。",
            "num_groups には、{channels} の約数で {groups} に近いものを選びます: {near}。",
        ),
        sums=_groups,
    ),
)
