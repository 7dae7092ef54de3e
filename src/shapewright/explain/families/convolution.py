"""Convolution, pooling, padding, resizing."""

from ..arithmetic import numbers, windowed
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
    return {"sums": ", ".join(f"({n} - {k})/1 + 1 = {windowed(n, k)}" for n, k in zip(size, kernel))}


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
            "In the input {shape}, axis 1 holds the channels; its size must be the layer's in_channels.",
            "The layer expects size {want} on axis 1; it has size {have}.",
            "Axis {at} has size {want}: the layout may be channels-last, or the sequence axis is where the "
            "features belong.\nIf no axis of the input has size {want}, the layer was made for another input (RGB "
            "against grayscale, or the previous layer's out_channels changed).\nThe input may be a batch without "
            "channel axis, or one sample without batch axis.",
            "If only the order of the axes is wrong, move the axis: {order}.\nIf {have} is the right number of "
            "channels, set in_channels={have}; if not, bring the channel axis to size {want}.",
        ),
        (
            "En la entrada {shape}, el eje 1 son los canales; su tamaño debe ser el in_channels de la capa.",
            "La capa espera tamaño {want} en el eje 1; tiene {have}.",
            "El eje {at} tiene tamaño {want}: la disposición puede ser channels-last (canales al final), o el eje "
            "de la secuencia ocupa el sitio de las características.\nSi ningún eje mide {want}, la capa se hizo "
            "para otra entrada (RGB o grises, o cambió el out_channels de la capa anterior).\nLa entrada puede ser "
            "un lote sin eje de canales, o una muestra sin eje de lote.",
            "Si solo está mal el orden de los ejes, muévelo: {order}.\nSi {have} es el número correcto de canales, "
            "pon in_channels={have}; si no, lleva el eje de canales a tamaño {want}.",
        ),
        (
            "入力 {shape} では軸 1 がチャネルで、そのサイズは層の in_channels と同じでなければなりません。",
            "層のチャネル数は {want} ですが、軸 1 のサイズは {have} です。",
            "軸 {at} のサイズが {want} です。チャネルが最後に来る並びか、特徴の位置に系列の軸があるのかもしれません。"
            "\nサイズ {want} の軸がなければ、別の入力に合わせた層です (RGB とグレースケール、前の層の out_channels "
            "の変更など)。\nチャネルの軸がないバッチか、バッチの軸がない 1 サンプルかもしれません。",
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
            "The input is (batch, channels, space…): {high} axes here.\nFor one sample without batch axis: {low} axes.",
            "The input has shape {shape}.",
            "Batch and channel axes are missing (one image (h, w)), the images were flattened for a Linear "
            "layer, there is an axis too many, or a size is 0.",
            "unsqueeze(1) adds a channel axis, unsqueeze(0) a batch axis; view(batch, channels, h, w) undoes a "
            "flatten.",
        ),
        (
            "La entrada es (lote, canales, espacio…): aquí {high} ejes.\nPara una muestra sin eje de lote: {low} ejes.",
            "La entrada tiene forma {shape}.",
            "Faltan los ejes de lote y de canales (una imagen (h, w)), las imágenes se aplanaron para una "
            "Linear, sobra un eje, o un tamaño es 0.",
            "unsqueeze(1) añade un eje de canales, unsqueeze(0) uno de lote; view(lote, canales, h, w) deshace el "
            "aplanado.",
        ),
        (
            "入力は (バッチ, チャネル, 空間…) で、ここでは {high} 次元です。\nバッチの軸がない 1 サンプルな"
            "ら {low} 次元です。",
            "入力の形状は {shape} です。",
            "バッチとチャネルの軸がない (画像 1 枚が (h, w))、Linear 用に平坦化した画像を渡した、軸が多すぎ"
            "る、サイズが 0 の軸がある、などです。",
            "unsqueeze(1) でチャネルの軸、unsqueeze(0) でバッチの軸を足します。flatten を戻すなら view(バッチ, "
            "チャネル, h, w) です。",
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
            "The kernel of a convolution (not of a transposed one) must fit into the padded input; "
            "interpolate needs sizes above 0.",
            "The input has size {size} after padding, the kernel has size {kernel}.",
            "With stride 1 the output would be {sums}.\nThere are too many pooling layers or strides before this "
            "layer for this image size, or the last piece of a sequence is short.\nFor Conv1d, channels and time "
            "may be swapped, so that the time axis is too short.",
            "Use larger inputs, fewer pooling layers, or padding.",
        ),
        (
            "El kernel de una convolución (no el de una traspuesta) debe caber en la entrada con relleno; "
            "interpolate necesita tamaños mayores que 0.",
            "La entrada tiene tamaño {size} con relleno; el kernel, {kernel}.",
            "Con stride 1 la salida sería {sums}.\nHay demasiadas capas de pooling o strides antes de esta capa "
            "para ese tamaño de imagen, o el último trozo de una secuencia es corto.\nEn Conv1d, puede que canales "
            "y tiempo estén intercambiados y el eje de tiempo sea demasiado corto.",
            "Usa entradas mayores, menos capas de pooling o padding.",
        ),
        (
            "畳み込みのカーネルはパディング後の入力に収まらなければなりません (転置畳み込みを除く)。"
            "interpolate のサイズは 0 より大きくします。",
            "パディング後の入力のサイズは {size}、カーネルは {kernel} です。",
            "stride 1 なら出力は {sums} になってしまいます。\nこの画像サイズには、手前のプーリングやストライドが多"
            "すぎます。系列の最後が短い場合もあります。\nConv1d では、チャネルと時間が逆で、時間の軸が短くなってい"
            "ることがあります。",
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
            "Pooling needs at least one whole window of padded input; with ceil_mode=True, less than a stride may be "
            "missing.",
            "The input has size {size}, so the output would have size {out}.",
            "Each pooling layer of size 2 halves the image, rounding down (for example {halves}); this network pools "
            "more often than the image allows.",
            "Use larger images, one pooling layer fewer, padding, or AdaptiveAvgPool2d, whose output size is fixed.",
        ),
        (
            "El pooling necesita al menos una ventana entera de entrada, con el relleno; con ceil_mode=True puede "
            "faltar menos de un stride.",
            "La entrada tiene tamaño {size}, así que la salida tendría tamaño {out}.",
            "Cada pooling de tamaño 2 reduce la imagen a la mitad, redondeando hacia abajo (por ejemplo {halves}); "
            "esta red tiene más capas de pooling de las que permite la imagen.",
            "Usa imágenes mayores, un pooling menos, padding, o AdaptiveAvgPool2d, cuyo tamaño de salida es fijo.",
        ),
        (
            "プーリングには、パディング後の入力が窓 1 つ分以上必要です。"
            "ceil_mode=True では、不足が stride 未満なら動きます。",
            "入力のサイズは {size} で、出力のサイズは {out} になってしまいます。",
            "サイズ 2 のプーリングごとに画像は半分 (端数切り捨て) になります (例: {halves})。この画像には回数が多すぎ"
            "ます。",
            "画像を大きくする、プーリングを 1 回減らす、padding を足す、出力サイズの決まった "
            "AdaptiveAvgPool2d を使う、のいずれかです。",
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
            "Reflection padding mirrors the input, so it must be smaller than the axis.",
            "The padding is ({a}, {b}) on axis {dim} of {shape}.",
            "The image has become too small, or the axes are channels-last.",
            "Use less padding, constant padding, or larger inputs.",
        ),
        (
            "El relleno por reflexión refleja la entrada, así que debe ser menor que el eje.",
            "El relleno es ({a}, {b}) en el eje {dim} de {shape}.",
            "La imagen se ha hecho demasiado pequeña, o los canales están al final.",
            "Usa menos relleno, relleno constante, o entradas mayores.",
        ),
        (
            "反射パディングは入力を折り返すので、軸のサイズより小さくなければなりません。",
            "{shape} の軸 {dim} にパディング ({a}, {b}) です。",
            "画像が小さくなりすぎているか、チャネルが最後に来ています。",
            "パディングを減らすか、定数パディングにするか、入力を大きくします。",
        ),
    ),
    Message(
        "conv-groups",
        (r"(?P<what>in_channels|out_channels) must be divisible by groups",),
        (
            "groups must divide both channel counts.",
            "groups does not divide {what}.",
            "A depthwise convolution (groups=in_channels) has an out_channels that is not a multiple of "
            "in_channels, or a channel count was changed and groups was not.",
            "Choose groups among the common divisors, or change the channel count.",
        ),
        (
            "groups debe dividir ambos números de canales.",
            "groups no divide {what}.",
            "Una convolución por canal (depthwise, groups=in_channels) tiene un out_channels que no es múltiplo de "
            "in_channels, o se cambió un número de canales y no groups.",
            "Elige groups entre los divisores comunes, o cambia el número de canales.",
        ),
        (
            "groups は両方のチャネル数を割り切る必要があります。",
            "groups で {what} を割り切れません。",
            "depthwise 畳み込み (groups=in_channels) の out_channels が in_channels の倍数ではありません。または、チャ"
            "ネル数だけを変えて groups を変えていません。",
            "公約数から groups を選ぶか、チャネル数を変えます。",
        ),
    ),
    Message(
        "pixel-shuffle",
        (
            r"pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            r"but input\.size\(-3\)=(?P<a>\d+) is not divisible by (?P<b>\d+)",
        ),
        (
            "PixelShuffle(r) turns r² channels into one channel with r times the height and width.",
            "The number of channels is {a}; it must be divisible by {b}.",
            "The convolution before PixelShuffle has too few or too many output channels.",
            "Set out_channels of that convolution to channels * {b}.",
        ),
        (
            "PixelShuffle(r) convierte r² canales en un canal con r veces el alto y el ancho.",
            "El número de canales es {a}; debe ser divisible entre {b}.",
            "La convolución anterior a PixelShuffle tiene canales de salida de más o de menos.",
            "Pon out_channels de esa convolución en canales * {b}.",
        ),
        (
            "PixelShuffle(r) は r² チャネルを、縦横が r 倍の 1 チャネルに並べ替えます。",
            "チャネル数は {a} ですが、{b} で割り切れなければなりません。",
            "PixelShuffle の直前の畳み込みの出力チャネル数が合っていません。",
            "その畳み込みの out_channels を チャネル数 * {b} にします。",
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
            "interpolate takes (batch, channels, space…) and one output size (or scale factor) for all spatial "
            "axes or one for each.",
            "The input has spatial size {shape}, the output size is {size}.\nThe mode {mode} expects {wanted} "
            "axes, but the input has {rank}.",
            "The batch or channel axis is missing.",
            "Use unsqueeze(0) before and squeeze(0) after the call, or pass as many sizes as there are spatial axes.",
        ),
        (
            "interpolate toma (lote, canales, espacio…) y un tamaño de salida (o factor de escala) para todos "
            "los ejes espaciales o uno para cada uno.",
            "La entrada tiene los ejes espaciales {shape}; el tamaño de salida es {size}.\nEl modo {mode} espera "
            "{wanted} ejes y la entrada tiene {rank}.",
            "Falta el eje de lote o el de canales.",
            "Usa unsqueeze(0) antes y squeeze(0) después de la llamada, o pasa tantos tamaños como ejes espaciales.",
        ),
        (
            "interpolate の入力は (バッチ, チャネル, 空間…) で、出力のサイズ (または倍率) は、空間の軸すべてに共"
            "通の 1 つか、軸ごとに 1 つ指定します。",
            "入力の空間の軸は {shape}、出力のサイズは {size} です。\nモード {mode} に必要な軸は {wanted} つ、"
            "入力の軸は {rank} つです。",
            "バッチかチャネルの軸がありません。",
            "前後で unsqueeze(0) と squeeze(0) をするか、空間の軸と同じ数だけサイズを渡します。",
        ),
    ),
)
