"""Convolution, pooling, padding, resizing."""

from ...ops.shapes import convolved
from ..arithmetic import numbers
from ..model import Message


def _channels(field: dict[str, str]) -> dict[str, object]:
    shape, weight = numbers(field["shape"]), numbers(field["weight"])
    want = int(field["want"])
    places = [axis for axis, size in enumerate(shape) if size == want and axis != 1]
    out = weight[1] * int(field["groups"]) if field.get("transposed") == "1" else weight[0]
    rank = len(weight) - 2
    order = (
        [0, places[0], *[axis for axis in range(1, len(shape)) if axis != places[0]]] if places and places[0] else []
    )
    return {
        "out": out,
        "rank": rank,
        "at": places[0] if places else "",
        "order": f"permute({', '.join(map(str, order))})" if order else "",
        "unbatched": f"({', '.join(map(str, shape))})" if len(shape) == rank + 1 else "",
    }


def _kernel(field: dict[str, str]) -> dict[str, object]:
    size, kernel = numbers(field.get("size", "")), numbers(field.get("kernel", ""))
    return {"sums": ", ".join(f"({n} - {k})/1 + 1 = {convolved(n, k)}" for n, k in zip(size, kernel))}


def _pool(field: dict[str, str]) -> dict[str, object]:
    size = numbers(field["size"])
    return {"halves": " → ".join(str(side) for side in (size[-1] * 4, size[-1] * 2, size[-1])) if size else ""}


MESSAGES = (
    Message(
        "conv-channels",
        (
            r"Given groups=(?P<groups>\d+), weight of size (?P<weight>\[[^\]]*\]), expected input(?P<shape>\[[^\]]*\]) "
            r"to have (?P<want>\d+) channels, "
            r"but got (?P<have>\d+) channels instead",
            r"Given transposed=(?P<transposed>1), weight of size (?P<weight>\[[^\]]*\]), expected "
            r"input(?P<shape>\[[^\]]*\]) to have (?P<want>\d+) channels, "
            r"but got (?P<have>\d+) channels instead",
            r"Given groups=(?P<groups>\d+), weight of size (?P<weight>\d+(?: \d+)+), expected "
            r"input(?P<shape>\[[^\]]*\]) to have (?P<want>\d+) channels, "
            r"but got (?P<have>\d+) channels instead",
        ),
        (
            "In the input {shape}, axis 1 is the channel axis; its size must equal in_channels of the layer.",
            "The layer expects size {want} on axis 1, but the input has size {have} there.",
            "Axis {at} has size {want}: the channels may be the last axis, or the sequence axis and the feature axis "
            "may be swapped.\nIf no axis of the input has size {want}, the layer was made for a different input (RGB "
            "instead of grayscale, for example, or the out_channels of the previous layer changed).\nThe input may "
            "be a batch without a channel axis, or one sample without a batch axis.",
            "If only the order of the axes is wrong, move the axis: {order}.\nIf {have} is the correct number of "
            "channels, set in_channels={have}; if not, correct the input so that it has {want} channels.",
        ),
        (
            "En la entrada {shape}, el eje 1 es el de canales; su tamaño debe ser igual al in_channels de la capa.",
            "La capa espera tamaño {want} en el eje 1, pero ahí la entrada tiene tamaño {have}.",
            "El eje {at} tiene tamaño {want}: puede que los canales sean el último eje, o que los ejes de secuencia "
            "y de características estén intercambiados.\nSi ningún eje mide {want}, la capa se hizo para otra "
            "entrada (RGB en vez de escala de grises, por ejemplo, o cambió el out_channels de la capa anterior).\n"
            "La entrada puede ser un lote sin eje de canales, o una muestra sin eje de lote.",
            "Si solo está mal el orden de los ejes, muévelo: {order}.\nSi {have} es el número correcto de canales, "
            "pon in_channels={have}; si no, corrige la entrada para que tenga {want} canales.",
        ),
        (
            "入力 {shape} では軸 1 がチャネルで、そのサイズは層の in_channels と同じでなければなりません。",
            "層は軸 1 のサイズとして {want} を期待しますが、入力の軸 1 のサイズは {have} です。",
            "軸 {at} のサイズが {want} です。チャネルが最後の軸になっているか、系列の軸と特徴の軸が入れ替わっているの"
            "かもしれません。\nサイズ {want} の軸がなければ、層が別の入力に合わせて作られています (グレースケールに対"
            "して RGB、前の層の out_channels の変更など)。\nチャネルの軸がないバッチか、バッチの軸がない 1 サンプルか"
            "もしれません。",
            "軸の順序だけが違うなら {order} で軸を移します。\n{have} チャネルの入力が正しければ in_channels={have} "
            "とし、そうでなければ入力を {want} チャネルにします。",
        ),
        sums=lambda field: _channels(field | {"groups": field.get("groups") or "1"}),
    ),
    Message(
        "conv-rank",
        (
            r"Expected (?P<low>\d)D \(unbatched\) or (?P<high>\d)D \(batched\) input to (?P<op>\w+), but got input of "
            r"size: (?P<shape>\[[^\]]*\])",
            r"Expected (?P<high>\d)-dimensional input for \d-dimensional weight (?P<op>[\[\d, \]]+), but got "
            r"(?:\d)-dimensional input of size (?P<shape>\[[^\]]*\]) instead",
            r"non-empty (?P<low>\d)D or (?P<high>\d)D \(batch mode\) tensor expected for (?P<op>input)",
            r"Expected (?P<low>\d)D or (?P<high>\d)D \(batch mode\) tensor with",
        ),
        (
            "The input is (batch, channels, spatial axes…): {high} axes for this layer.\nOne sample without a batch "
            "axis has {low} axes.",
            "The input has shape {shape}.",
            "The batch or channel axis is missing (a single image is (h, w)), the images were flattened for a Linear "
            "layer, there is one axis too many, or an axis has size 0.",
            "Add a channel axis to a batch with unsqueeze(1), and a batch axis to one sample with unsqueeze(0). "
            "view(batch, channels, h, w) undoes a flatten.",
        ),
        (
            "La entrada es (lote, canales, ejes espaciales…): {high} ejes en esta capa.\nUna muestra sin eje de lote "
            "tiene {low} ejes.",
            "La entrada tiene forma {shape}.",
            "Falta el eje de lote o el de canales (una sola imagen es (h, w)), las imágenes se aplanaron para una "
            "capa Linear, sobra un eje, o un eje tiene tamaño 0.",
            "Añade un eje de canales a un lote con unsqueeze(1), y un eje de lote a una muestra con unsqueeze(0). "
            "view(lote, canales, h, w) deshace el aplanado.",
        ),
        (
            "入力は (バッチ, チャネル, 空間の軸…) で、この層では {high} 次元です。\nバッチの軸がない 1 サンプルなら "
            "{low} 次元です。",
            "入力の形状は {shape} です。",
            "バッチかチャネルの軸がない (画像 1 枚は (h, w))、Linear 用に平坦化した画像を渡した、軸が 1 つ多い、サイ"
            "ズが 0 の軸がある、のいずれかです。",
            "バッチにチャネルの軸を足すには unsqueeze(1)、1 サンプルにバッチの軸を足すには unsqueeze(0) を使います。"
            "flatten を戻すなら view(バッチ, チャネル, h, w) です。",
        ),
    ),
    Message(
        "conv-kernel",
        (
            r"Calculated padded input size per channel: \((?P<size>[\d x]+)\)\. Kernel size: \((?P<kernel>[\d x]+)\)\. "
            r"Kernel size can't be greater than actual input size",
            r"(?<!\)\. )Kernel size can't be greater than actual input size",
            r"Input and output sizes should be greater than 0",
        ),
        (
            "The kernel of a convolution must fit into the padded input (a transposed convolution has no such "
            "limit); interpolate needs sizes greater than 0.",
            "The input has size {size} after padding; the kernel has size {kernel}.",
            "With stride 1 the output would be {sums}.\nPooling layers or strides before this layer shrink this "
            "image too much, or the last chunk of a sequence is too short.\nIn Conv1d, channels and time may be "
            "swapped, which makes the time axis too short.",
            "Use larger inputs, fewer pooling layers, or padding.",
        ),
        (
            "El kernel de una convolución debe caber en la entrada con relleno (una convolución traspuesta no tiene "
            "ese límite); interpolate necesita tamaños mayores que 0.",
            "La entrada tiene tamaño {size} con relleno; el kernel tiene tamaño {kernel}.",
            "Con stride 1 la salida sería {sums}.\nLas capas de pooling o los strides anteriores a esta capa reducen "
            "demasiado esta imagen, o el último trozo de una secuencia es demasiado corto.\nEn Conv1d, puede que "
            "canales y tiempo estén intercambiados, y entonces el eje de tiempo es demasiado corto.",
            "Usa entradas mayores, menos capas de pooling o padding.",
        ),
        (
            "畳み込みのカーネルは、パディング後の入力に収まらなければなりません (転置畳み込みにはこの制限はありません"
            ")。interpolate のサイズは 0 より大きくします。",
            "パディング後の入力のサイズは {size}、カーネルのサイズは {kernel} です。",
            "stride 1 なら出力は {sums} になってしまいます。\nこの層より前のプーリングやストライドで画像が小さくなり"
            "すぎているか、系列の最後の部分が短すぎます。\nConv1d では、チャネルと時間が逆で、時間の軸が短すぎるのか"
            "もしれません。",
            "入力を大きくするか、プーリングを減らすか、padding を加えます。",
        ),
        sums=_kernel,
    ),
    Message(
        "pool-output",
        (
            r"Given input size: \((?P<size>[\dx]+)\)\. Calculated output size: \((?P<out>[-\dx]+)\)\. Output size is "
            r"too small",
        ),
        (
            "The padded input of a pooling layer must be at least as large as its window. With ceil_mode=True, up to "
            "stride - 1 elements may be missing.",
            "The input has size {size}, so the output would have size {out}.",
            "Each pooling layer of size 2 halves the image and rounds down (for example {halves}); this network has "
            "too many pooling layers for this image.",
            "Use larger images, fewer pooling layers, padding, or AdaptiveAvgPool2d, whose output has the size that "
            "you choose.",
        ),
        (
            "La entrada con relleno de una capa de pooling debe ser al menos tan grande como la ventana. Con "
            "ceil_mode=True pueden faltar hasta stride - 1 elementos.",
            "La entrada tiene tamaño {size}, así que la salida tendría tamaño {out}.",
            "Cada pooling de tamaño 2 reduce la imagen a la mitad, redondeando hacia abajo (por ejemplo {halves}); "
            "esta red tiene demasiadas capas de pooling para esta imagen.",
            "Usa imágenes mayores, menos capas de pooling, padding, o AdaptiveAvgPool2d, cuya salida tiene el tamaño "
            "que elijas.",
        ),
        (
            "プーリング層のパディング後の入力は、窓以上の大きさが必要です。ceil_mode=True では、stride - 1 要素まで足"
            "りなくてもかまいません。",
            "入力のサイズは {size} で、出力のサイズは {out} になってしまいます。",
            "サイズ 2 のプーリングごとに画像は半分 (端数切り捨て) になります (例: {halves})。この画像に対してプーリン"
            "グ層が多すぎます。",
            "画像を大きくする、プーリング層を減らす、padding を足す、出力サイズを指定できる AdaptiveAvgPool2d を使"
            "う、のいずれかです。",
        ),
        sums=_pool,
    ),
    Message(
        "reflection-padding",
        (
            r"Padding size should be less than the corresponding input dimension, but got: padding \((?P<a>\d+), "
            r"(?P<b>\d+)\) at dimension (?P<dim>\d+) of input (?P<shape>\[[^\]]*\])",
        ),
        (
            "Reflection padding fills the edges with mirrored values of the input, so the padding must be smaller "
            "than the size of the axis.",
            "The padding is ({a}, {b}) on axis {dim} of an input of shape {shape}.",
            "Earlier layers made the image too small, or the channels are the last axis.",
            "Use less padding, constant padding, or larger inputs.",
        ),
        (
            "El relleno por reflexión llena los bordes con valores reflejados de la entrada, así que el relleno debe "
            "ser menor que el tamaño del eje.",
            "El relleno es ({a}, {b}) en el eje {dim} de una entrada de forma {shape}.",
            "Las capas anteriores redujeron demasiado la imagen, o los canales son el último eje.",
            "Usa menos relleno, relleno constante, o entradas mayores.",
        ),
        (
            "反射パディングは入力の値を折り返して端を埋めるため、パディングは軸のサイズより小さくなければなりません。",
            "形状 {shape} の入力の軸 {dim} に、パディング ({a}, {b}) が指定されています。",
            "前の層で画像が小さくなりすぎたか、チャネルが最後の軸になっています。",
            "パディングを減らすか、定数パディングにするか、入力を大きくします。",
        ),
    ),
    Message(
        "conv-groups",
        (r"(?P<what>in_channels|out_channels) must be divisible by groups",),
        (
            "in_channels and out_channels must both be divisible by groups.",
            "{what} is not divisible by groups.",
            "In a depthwise convolution (groups=in_channels), out_channels is not a multiple of in_channels; or the "
            "number of channels was changed and groups was not.",
            "Choose for groups a common divisor of in_channels and out_channels, or change these two.",
        ),
        (
            "in_channels y out_channels deben ser divisibles entre groups.",
            "{what} no es divisible entre groups.",
            "En una convolución por canal (depthwise, groups=in_channels), out_channels no es múltiplo de "
            "in_channels; o se cambió el número de canales y no groups.",
            "Elige para groups un divisor común de in_channels y out_channels, o cambia estos dos.",
        ),
        (
            "in_channels と out_channels は、どちらも groups で割り切れなければなりません。",
            "{what} が groups で割り切れません。",
            "depthwise 畳み込み (groups=in_channels) の out_channels が in_channels の倍数ではありません。または、チャ"
            "ネル数だけを変えて groups を変えていません。",
            "groups を in_channels と out_channels の公約数にするか、チャネル数を変えます。",
        ),
    ),
    Message(
        "pixel-shuffle",
        (
            r"pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            r"but input\.size\(-3\)=(?P<a>\d+) is not divisible by (?P<b>\d+)",
        ),
        (
            "PixelShuffle(r) turns every r² channels into one channel of r times the height and r times the width.",
            "The number of channels is {a}; it must be divisible by {b}.",
            "The convolution before PixelShuffle has the wrong number of output channels.",
            "Set out_channels of this convolution to {b} times the number of channels that PixelShuffle should output.",
        ),
        (
            "PixelShuffle(r) convierte cada r² canales en un canal con r veces el alto y r veces el ancho.",
            "El número de canales es {a}; debe ser divisible entre {b}.",
            "La convolución anterior a PixelShuffle tiene un número incorrecto de canales de salida.",
            "Pon out_channels de esta convolución en {b} veces el número de canales que debe dar PixelShuffle.",
        ),
        (
            "PixelShuffle(r) は r² チャネルごとに、縦横がそれぞれ r 倍の 1 チャネルに並べ替えます。",
            "チャネル数は {a} ですが、{b} で割り切れなければなりません。",
            "PixelShuffle の直前の畳み込みの出力チャネル数が合っていません。",
            "この畳み込みの out_channels を、PixelShuffle の出力チャネル数の {b} 倍にします。",
        ),
    ),
    Message(
        "interpolate-rank",
        (
            r"Input and output must have the same number of spatial dimensions, but got input with spatial dimensions "
            r"of (?P<shape>\[[^\]]*\]) and output size of (?P<size>\([^)]*\))",
            r"Got (?P<rank>\d)D input, but (?P<mode>\w+) mode needs (?P<wanted>\d)D input",
        ),
        (
            "The input of interpolate is (batch, channels, spatial axes…). Give one output size (or scale factor) "
            "for all spatial axes, or one for each spatial axis.",
            "The spatial axes of the input have sizes {shape}, but the output size is {size}.\nThe mode {mode} "
            "expects {wanted} axes, but the input has {rank}.",
            "The batch axis or the channel axis is missing, or the number of output sizes is wrong.",
            "Add a missing axis with unsqueeze(0) before the call and remove it with squeeze(0) after it, or pass as "
            "many sizes as there are spatial axes.",
        ),
        (
            "La entrada de interpolate es (lote, canales, ejes espaciales…). Da un solo tamaño de salida (o factor "
            "de escala) para todos los ejes espaciales, o uno para cada eje espacial.",
            "Los ejes espaciales de la entrada tienen tamaños {shape}, pero el tamaño de salida es {size}.\nEl modo "
            "{mode} espera {wanted} ejes y la entrada tiene {rank}.",
            "Falta el eje de lote o el de canales, o el número de tamaños de salida es incorrecto.",
            "Añade el eje que falta con unsqueeze(0) antes de la llamada y quítalo con squeeze(0) después, o pasa "
            "tantos tamaños como ejes espaciales.",
        ),
        (
            "interpolate の入力は (バッチ, チャネル, 空間の軸…) です。出力のサイズ (または倍率) は、空間の軸すべてに"
            "共通のものを 1 つか、空間の軸ごとに 1 つずつ指定します。",
            "入力の空間の軸のサイズは {shape} ですが、出力のサイズは {size} です。\nモード {mode} に必要な軸は "
            "{wanted} つ、入力の軸は {rank} つです。",
            "バッチかチャネルの軸がないか、指定した出力サイズの数が違います。",
            "足りない軸を呼び出しの前に unsqueeze(0) で足し、後で squeeze(0) で除きます。または、空間の軸と同じ数のサ"
            "イズを渡します。",
        ),
    ),
)
