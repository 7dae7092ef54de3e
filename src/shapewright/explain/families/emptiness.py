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
            "The call needs at least one tensor or element.",
            "The call got neither.",
            "A loop over the data never ran (an empty loader, drop_last=True with fewer samples than a batch), or a "
            "filter kept nothing.",
            "Print len(dataset) and len(loader); with drop_last=True, len(loader) is len(dataset) // batch_size.",
        ),
        (
            "La llamada necesita al menos un tensor o elemento.",
            "La llamada no recibió ninguno.",
            "El bucle sobre los datos no llegó a ejecutarse (cargador vacío, drop_last=True con menos muestras que un "
            "lote), o un filtro lo quitó todo.",
            "Imprime len(dataset) y len(loader); con drop_last=True, len(loader) es len(dataset) // batch_size.",
        ),
        (
            "テンソルか要素が 1 つ以上必要です。",
            "テンソルも要素も渡されていません。",
            "データのループが一度も回っていない (空の loader、バッチより少ないデータで drop_last=True) か、"
            "フィルタで何も残っていません。",
            "len(dataset) と len(loader) を表示します。drop_last=True なら len(loader) は len(dataset) // batch_size "
            "です。",
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
            "The shape is {shape}.\n{call} was given a size below 0.",
            "A difference of sizes (seq - window, in - kernel + 1) came out below zero for these data, or "
            "-1 was passed where no size is inferred: view infers it, torch.zeros does not.",
            "Compute the size from the data, and check that the window fits.",
        ),
        (
            "Un tamaño no puede ser negativo.",
            "La forma es {shape}.\n{call} recibió un tamaño menor que 0.",
            "Una resta de tamaños (seq - ventana, entrada - kernel + 1) quedó por debajo de cero, o se "
            "pasó -1 donde no se deduce ningún tamaño: view lo deduce, torch.zeros no.",
            "Calcula el tamaño a partir de los datos y comprueba que la ventana cabe.",
        ),
        (
            "サイズは負にできません。",
            "形状は {shape} です。\n{call} に負のサイズが渡されました。",
            "サイズの引き算 (系列 - 窓、入力 - カーネル + 1) が負になったか、サイズが推論されないところに "
            "-1 を渡しています。view は -1 を推論しますが、torch.zeros は推論しません。",
            "データからサイズを計算し、窓が収まることを確かめます。",
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
            "A gradient should have the shape of the tensor it belongs to.",
            "The gradient has shape {have}, but the tensor has shape {want}.",
            "backward(gradient=…) was given a different shape, or the backward of a custom autograd function "
            "returns a gradient that does not broadcast from the input's shape (a transposed or reduced one, for "
            "example).",
            "Pass torch.ones_like(output) as gradient; in a custom backward, return each gradient in the shape "
            "of its input.",
        ),
        (
            "Un gradiente debería tener la forma del tensor al que corresponde.",
            "El gradiente tiene forma {have}, pero el tensor tiene forma {want}.",
            "backward(gradient=…) recibió otra forma, o el backward de una función propia devuelve un gradiente "
            "cuya forma no puede obtenerse por broadcasting a partir de la de la entrada (uno traspuesto o reducido, "
            "por ejemplo).",
            "Pasa torch.ones_like(salida) como gradiente; en un backward propio, devuelve cada gradiente con la "
            "forma de su entrada.",
        ),
        (
            "勾配は、対応するテンソルと同じ形状にします。",
            "勾配の形状は {have}、テンソルの形状は {want} です。",
            "backward(gradient=…) に別の形状を渡したか、自作の関数の backward が、入力の形状からのブロードキャス"
            "トでは得られない形状の勾配 (転置や縮約をしたものなど) を返しています。",
            "勾配には torch.ones_like(output) を渡します。自作の backward では、各勾配を対応する入力と同じ形状で"
            "返します。",
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
            "This call needs floating-point or complex numbers (quantile: float32 or float64).",
            "The tensor has type {have}.\nThe type of the tensor is not accepted.",
            "A comparison (== gives booleans) or token ids are averaged; torch.tensor([1, 2]) makes integers.",
            "Use (prediction == target).float().mean(), or torch.tensor([1.0, 2.0], requires_grad=True).",
        ),
        (
            "Esta llamada necesita números de coma flotante o complejos (quantile: float32 o float64).",
            "El tensor es de tipo {have}.\nEl tipo del tensor no se admite.",
            "Se promedia una comparación (== da booleanos) o ids de tokens; torch.tensor([1, 2]) crea enteros.",
            "Usa (prediccion == objetivo).float().mean(), o torch.tensor([1.0, 2.0], requires_grad=True).",
        ),
        (
            "この呼び出しには浮動小数か複素数 (quantile なら float32 か float64) が必要です。",
            "テンソルの型は {have} です。\nテンソルの型はここでは使えません。",
            "比較の結果 (== は真偽値) やトークン ID を平均しています。torch.tensor([1, 2]) は整数になります。",
            "(prediction == target).float().mean() や torch.tensor([1.0, 2.0], requires_grad=True) とします。",
        ),
    ),
)
