"""Nothing where something is expected, and sizes below zero."""

from ..model import Message

MESSAGES = (
    Message(
        "empty-list",
        (
            r"stack expects a non-empty TensorList",
            r"expected a non-empty list of Tensors",
            r"arg(?:max|min)\(\): Expected reduction dim -?\d+ to have non-zero size",
            r"max\(\): Expected reduction dim to be specified for input\.numel\(\) == 0[^\n]*",
        ),
        (
            "This call needs a list with at least one tensor, or a tensor with at least one element.",
            "The call got an empty list or an empty tensor.",
            "A loop over the data never ran (an empty loader, or drop_last=True with fewer samples than batch_size), "
            "or a filter removed everything.",
            "Print len(dataset) and len(loader); with drop_last=True, len(loader) is usually len(dataset) // "
            "batch_size.",
        ),
        (
            "Esta llamada necesita una lista con al menos un tensor, o un tensor con al menos un elemento.",
            "La llamada recibió una lista vacía o un tensor vacío.",
            "El bucle sobre los datos no llegó a ejecutarse (un DataLoader vacío, o drop_last=True con menos "
            "muestras que batch_size), o un filtro lo quitó todo.",
            "Imprime len(dataset) y len(loader); con drop_last=True, len(loader) suele ser len(dataset) // batch_size.",
        ),
        (
            "この呼び出しには、1 つ以上のテンソルを含むリストか、1 つ以上の要素を持つテンソルが必要です。",
            "空のリストか空のテンソルが渡されました。",
            "データのループが一度も回っていない (DataLoader が空、または drop_last=True でサンプル数が batch_size よ"
            "り少ない) か、フィルタで何も残っていません。",
            "len(dataset) と len(loader) を表示します。drop_last=True なら、len(loader) は普通 len(dataset) // "
            "batch_size です。",
        ),
    ),
    Message(
        "negative-size",
        (
            r"Trying to create tensor with negative dimension (?P<size>-\d+): (?P<shape>\[[^\]]*\])",
            r"(?P<call>\w+): Dimension size must be non-negative",
        ),
        (
            "A size cannot be negative.",
            "The requested shape is {shape}.\n{call} got a size below 0.",
            "A size was computed as a difference (seq - window, in - kernel + 1) and became negative for these data; "
            "or -1 was passed to a function that does not replace it: view replaces -1 by the matching size, but "
            "torch.zeros does not.",
            "Compute the size from the data, and check that the window is not larger than the data.",
        ),
        (
            "Un tamaño no puede ser negativo.",
            "La forma pedida es {shape}.\n{call} recibió un tamaño menor que 0.",
            "Un tamaño se calculó como resta (seq - ventana, entrada - kernel + 1) y salió negativo con estos datos; "
            "o se pasó -1 a una función que no lo sustituye: view sustituye -1 por el tamaño que corresponde, pero "
            "torch.zeros no.",
            "Calcula el tamaño a partir de los datos y comprueba que la ventana no sea mayor que los datos.",
        ),
        (
            "サイズは負にできません。",
            "指定された形状は {shape} です。\n{call} に負のサイズが渡されました。",
            "引き算で求めたサイズ (系列 - 窓、入力 - カーネル + 1) がこのデータでは負になりました。または、-1 をサイ"
            "ズに置き換えない関数に -1 を渡しています。view は -1 を合うサイズに置き換えますが、torch.zeros は置き換"
            "えません。",
            "データからサイズを計算し、窓がデータより大きくないことを確かめます。",
        ),
    ),
    Message(
        "gradient-shape",
        (
            r"Mismatch in shape: grad_output\[(?P<which>\d+)\] has a shape of torch\.Size\((?P<have>\[[^\]]*\])\) and "
            r"output\[\d+\] has a shape of torch\.Size\((?P<want>\[[^\]]*\])\)",
            r"Function \w+ returned an invalid gradient at index (?P<which>\d+) - got (?P<have>\[[^\]]*\]) but "
            r"expected shape compatible with (?P<want>\[[^\]]*\])",
        ),
        (
            "A gradient should have the same shape as its tensor.",
            "The gradient has shape {have}, but the tensor has shape {want}.",
            "backward(gradient=…) got a gradient with a different shape, or the backward of a custom "
            "autograd.Function returns a gradient with the wrong shape (transposed or summed over an axis, for "
            "example).",
            "Pass a gradient with the shape of the output, such as torch.ones_like(output); in a custom backward, "
            "return each gradient in the shape of its input.",
        ),
        (
            "Un gradiente debería tener la misma forma que su tensor.",
            "El gradiente tiene forma {have}, pero el tensor tiene forma {want}.",
            "backward(gradient=…) recibió un gradiente con otra forma, o el backward de una autograd.Function propia "
            "devuelve un gradiente con forma incorrecta (traspuesto o sumado sobre un eje, por ejemplo).",
            "Pasa un gradiente con la forma de la salida, como torch.ones_like(salida); en un backward propio, "
            "devuelve cada gradiente con la forma de su entrada.",
        ),
        (
            "勾配の形状は、対応するテンソルと同じにします。",
            "勾配の形状は {have}、テンソルの形状は {want} です。",
            "backward(gradient=…) に形状の違う勾配を渡したか、自作の autograd.Function の backward が、形状の違う勾配"
            " (転置や、軸についての総和をしたものなど) を返しています。",
            "勾配には、torch.ones_like(output) のように、出力と同じ形状のものを渡します。自作の backward では、各勾配"
            "を対応する入力と同じ形状で返します。",
        ),
    ),
    Message(
        "float-wanted",
        (
            r"mean\(\): could not infer output dtype\. Input dtype must be either a floating point or complex dtype\. "
            r"Got: (?P<have>\w+)[^\n]*",
            r"std and var only support floating point and complex dtypes",
            r"quantile\(\) input tensor must be either float or double dtype",
            r"Only Tensors of floating point and complex dtype can require gradients",
        ),
        (
            "This call needs a tensor of floating-point or complex numbers (for quantile: float32 or float64).",
            "The tensor has type {have}.\nThe tensor has a type that this call does not accept.",
            "The mean of booleans (the result of ==) or of token ids is computed; or the tensor was made with "
            "torch.tensor([1, 2]), which creates integers.",
            "Use (prediction == target).float().mean(), or torch.tensor([1.0, 2.0], requires_grad=True).",
        ),
        (
            "Esta llamada necesita un tensor de números de coma flotante o complejos (para quantile: float32 o "
            "float64).",
            "El tensor es de tipo {have}.\nEl tensor es de un tipo que esta llamada no admite.",
            "Se calcula la media de booleanos (el resultado de ==) o de ids de tokens; o el tensor se creó con "
            "torch.tensor([1, 2]), que crea enteros.",
            "Usa (prediccion == objetivo).float().mean(), o torch.tensor([1.0, 2.0], requires_grad=True).",
        ),
        (
            "この呼び出しには、浮動小数か複素数のテンソル (quantile なら float32 か float64) が必要です。",
            "テンソルの型は {have} です。\nテンソルの型が、この呼び出しでは使えないものです。",
            "真偽値 (== の結果) やトークン ID の平均を計算しています。または、torch.tensor([1, 2]) で作ったテンソルが"
            "整数になっています。",
            "(prediction == target).float().mean() や torch.tensor([1.0, 2.0], requires_grad=True) とします。",
        ),
    ),
)
