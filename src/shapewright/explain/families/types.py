"""Types and devices that do not agree, and what is no tensor."""

from ..model import Message

MESSAGES = (
    Message(
        "types-differ",
        (
            r"mat1 and mat2 must have the same dtype, but got (?P<a>\w+) and (?P<b>\w+)",
            r"mat1 and mat2 must have the same dtype(?!,)",
            r"Input type \((?P<a>[\w. ]+)\) and (?:weight|bias) type \((?P<b>[\w. ]+)\) should be the same",
            r"expected (?:m1 and m2|mat1 and mat2) to have the same dtype, but got: (?P<a>[\w: ]+?) != (?P<b>[\w: ]+)",
            r"[Ee]xpected (?:object of )?scalar type (?P<b>\w+) but (?:found|got scalar type) (?P<a>\w+)",
        ),
        (
            "All operands of this call (for a layer, its input and its weights) must have the same type, normally "
            "float32.",
            "One operand has type {a}, the other {b}.",
            "NumPy creates float64 (Double) by default, images are often uint8 (unsigned char), and token ids are "
            "int64 (Long). A model expects float16 inputs after model.half().\nIf only one of the two type names "
            "contains cuda, the other tensor is still on the CPU.",
            "Convert the input with x.float(), or with x.to(next(model.parameters()).dtype) if the model is not "
            "float32. Divide uint8 images by 255 as well. If one type is cuda, move the other tensor with "
            ".to(device). For mixed precision use autocast instead of .half().",
        ),
        (
            "Todos los operandos de esta llamada (en una capa, la entrada y los pesos) deben ser del mismo tipo, "
            "normalmente float32.",
            "Un operando es de tipo {a} y el otro de tipo {b}.",
            "NumPy crea float64 (Double) por defecto, las imágenes suelen ser uint8 (unsigned char) y los ids de "
            "tokens, int64 (Long). Tras model.half(), un modelo espera entradas float16.\nSi solo uno de los dos "
            "nombres de tipo contiene cuda, el otro tensor sigue en la CPU.",
            "Convierte la entrada con x.float(), o con x.to(next(model.parameters()).dtype) si el modelo no es "
            "float32. Divide además las imágenes uint8 entre 255. Si un tipo es cuda, mueve el otro tensor con "
            ".to(device). Para precisión mixta usa autocast en vez de .half().",
        ),
        (
            "この呼び出しのオペランド (層なら入力と重み) は、すべて同じ型でなければなりません (普通は float32)。",
            "片方の型は {a}、もう片方は {b} です。",
            "NumPy の既定は float64 (Double)、画像は多くの場合 uint8 (unsigned char)、トークン ID は int64 (Long) で"
            "す。model.half() の後のモデルには float16 の入力が必要です。\n片方の型名だけに cuda が含まれていれば、も"
            "う片方のテンソルはまだ CPU にあります。",
            "入力を x.float() で変換します (モデルが float32 でなければ x.to(next(model.parameters()).dtype))。uint8 "
            "の画像は 255 で割ることも必要です。片方の型が cuda なら、もう片方を .to(device) で移します。混合精度には"
            " .half() ではなく autocast を使います。",
        ),
    ),
    Message(
        "result-type",
        (r"result type (?P<a>\w+) can't be cast to the desired output type (?P<b>\w+)",),
        (
            "An in-place operation such as += keeps the type of its left side, so the result must fit into that "
            "type. BCEWithLogitsLoss needs a float target.",
            "The result has type {a}, but it would be stored in a tensor of type {b}.",
            "An integer tensor (a counter, labels, torch.arange) is changed in place by a float result, or "
            "BCEWithLogitsLoss got integer labels.",
            "Write x = x + y instead of x += y, or create the tensor as float; pass target.float() to the loss.",
        ),
        (
            "Una operación in-place como += conserva el tipo de su lado izquierdo, así que el resultado debe caber "
            "en ese tipo. BCEWithLogitsLoss necesita un objetivo float.",
            "El resultado es de tipo {a}, pero se guardaría en un tensor de tipo {b}.",
            "Un tensor de enteros (un contador, etiquetas, torch.arange) se modifica in-place con un resultado "
            "flotante, o BCEWithLogitsLoss recibió etiquetas enteras.",
            "Escribe x = x + y en vez de x += y, o crea el tensor como float; pasa objetivo.float() a la pérdida.",
        ),
        (
            "+= などのインプレース演算では左辺の型が変わらないため、結果がその型に収まらなければなりません。"
            "BCEWithLogitsLoss のターゲットは float です。",
            "結果の型は {a} ですが、格納先のテンソルの型は {b} です。",
            "整数のテンソル (カウンタ、ラベル、torch.arange) を浮動小数の結果でインプレースに変えているか、"
            "BCEWithLogitsLoss に整数のラベルを渡しています。",
            "x += y を x = x + y と書くか、テンソルを float で作ります。損失には target.float() を渡します。",
        ),
    ),
    Message(
        "devices-differ",
        (
            r"Expected all tensors to be on the same device, but (?:found at least two devices, (?P<a>[\w:]+) and "
            r"(?P<b>[\w:]+)|got \w+ is on (?P<c>[\w:]+), different from other tensors on (?P<d>[\w:]+))",
            r"Expected object of (?:device type|backend) (?P<a>\w+) but got (?:device type|backend) (?P<b>\w+)",
            r"Tensor on device (?P<a>[\w:]+) is not on the expected device (?P<b>[\w:]+)",
            r"indices should be either on (?P<a>[\w:]+) or on the same device as the indexed tensor[^\n]*",
        ),
        (
            "All operands of a call must be on the same device (there are exceptions, such as a 0-d CPU tensor in "
            "elementwise operations, or CPU indices in x[i]).",
            "The operands are on {a} and {b}.\nThe operands are on {c} and {d}.\nThe operands are on different "
            "devices.",
            "The model was moved to the device but the batch was not, or forward creates a tensor without device=… "
            "(a mask, zeros, a hidden state, position ids).",
            "Move each batch with .to(device). Inside a module, create tensors with device=x.device, or store "
            "constant tensors with register_buffer.",
        ),
        (
            "Todos los operandos de una llamada deben estar en el mismo dispositivo (hay excepciones, como un tensor "
            "0-d de la CPU en operaciones elemento a elemento, o índices de la CPU en x[i]).",
            "Los operandos están en {a} y {b}.\nLos operandos están en {c} y {d}.\nLos operandos están en "
            "dispositivos distintos.",
            "Se movió al dispositivo el modelo, pero no el lote, o forward crea un tensor sin device=… (una máscara, "
            "ceros, un estado oculto, posiciones).",
            "Mueve cada lote con .to(device). Dentro de un módulo, crea los tensores con device=x.device, o guarda "
            "los tensores constantes con register_buffer.",
        ),
        (
            "1 つの呼び出しのオペランドは、すべて同じデバイスになければなりません (要素ごとの演算での CPU 上の 0 次元"
            "テンソルや、x[i] での CPU 上の添字などの例外があります)。",
            "オペランドは {a} と {b} にあります。\nオペランドは {c} と {d} にあります。\nオペランドが別々のデバイスに"
            "あります。",
            "モデルだけをデバイスに移してバッチを移していないか、forward の中で device=… なしにテンソル (マスク、ゼ"
            "ロ、隠れ状態、位置) を作っています。",
            "各バッチを .to(device) で移します。モジュールの中では、テンソルを device=x.device で作るか、定数のテンソ"
            "ルを register_buffer で保持します。",
        ),
    ),
    Message(
        "not-a-tensor",
        (
            r"(?P<call>\w+)\(\): argument '(?P<name>\w+)' \(position (?P<position>\d+)\) must be Tensor, not "
            r"(?P<have>\w+)",
            r"\b(?P<call>(?!rand|zeros|ones|full|empty|tensor|view|reshape|permute|expand|repeat)\w+)\(\) received an "
            r"invalid combination of arguments - got \((?P<have>tuple|list|dict|NoneType)\b",
            r"'(?P<have>tuple|list|dict|NoneType|BaseModelOutput\w*|\w*Output\w*)' object has no attribute "
            r"'(?P<name>shape|size|n?dim|to|cpu|cuda|dtype|device|T|float|long|half|view|reshape|flatten|"
            r"(?:un)?squeeze|permute|"
            r"transpose|contiguous|detach|item|numpy|backward|grad|"
            r"requires_grad|mean|sum|max|min|argmax|softmax|clone)'",
        ),
        (
            "This call expects a tensor.",
            "The value has type {have} ({name}).\n{call}() got {plain}.",
            "nn.LSTM and nn.GRU return (output, state), so the layer after them in nn.Sequential gets a tuple; "
            "MultiheadAttention returns (output, weights).\nTransformers models return an output object that holds "
            "the tensors, for example .logits or .last_hidden_state.\nA forward without a return statement returns "
            "None.",
            "Take the tensor out of the returned value first: output, _ = self.lstm(x), or outputs.logits.",
        ),
        (
            "Esta llamada espera un tensor.",
            "El valor es de tipo {have} ({name}).\n{call}() recibió {plain}.",
            "nn.LSTM y nn.GRU devuelven (output, estado), así que la capa que las sigue en nn.Sequential recibe una "
            "tupla; MultiheadAttention devuelve (output, pesos).\nLos modelos de Transformers devuelven un objeto "
            "que contiene los tensores, por ejemplo .logits o .last_hidden_state.\nUn forward sin return devuelve "
            "None.",
            "Extrae antes el tensor del valor devuelto: output, _ = self.lstm(x), o outputs.logits.",
        ),
        (
            "この呼び出しにはテンソルが必要です。",
            "渡された値の型は {have} です ({name})。\n{call}() に {plain} が渡されました。",
            "nn.LSTM と nn.GRU は (出力, 状態) を返すので、nn.Sequential ではその次の層にタプルが渡ります。"
            "MultiheadAttention は (出力, 重み) を返します。\nTransformers のモデルは、テンソル (.logits や "
            ".last_hidden_state など) を持つ出力オブジェクトを返します。\nreturn のない forward は None を返します。",
            "先に、返された値からテンソルを取り出します: output, _ = self.lstm(x)、または outputs.logits。",
        ),
        sums=lambda field: {"plain": "" if field.get("name") else field["have"]},
    ),
    Message(
        "type-not-implemented",
        (
            r"\"(?!nll_loss|cross_entropy)(?P<op>\w+)\" not implemented for '(?P<have>\w+)'",
            r"Could not infer dtype of (?P<object>\w+)",
        ),
        (
            "Not every operation supports every type of number (dtype).",
            "{op} does not support {have} on this device.\nPyTorch could not turn a value of type {object} into a "
            "tensor.",
            "A floating-point operation got integers (Long, Int, Byte), for example ids without an Embedding or "
            "labels without .float().\nA half-precision model (Half) runs on the CPU, which does not support some "
            "operations in this type.\nA value is None, because a label is missing or a function has no return "
            "statement.",
            "Convert values with .float() and indices with .long().\nOn the CPU, use float32 or bfloat16 instead of "
            "Half.",
        ),
        (
            "No todas las operaciones admiten todos los tipos de número (dtype).",
            "{op} no admite {have} en este dispositivo.\nPyTorch no pudo convertir en tensor un valor de tipo "
            "{object}.",
            "Una operación de coma flotante recibió enteros (Long, Int, Byte), por ejemplo ids sin Embedding o "
            "etiquetas sin .float().\nUn modelo en media precisión (Half) se ejecuta en la CPU, que no admite "
            "algunas operaciones con este tipo.\nUn valor es None, porque falta una etiqueta o una función no tiene "
            "return.",
            "Convierte los valores con .float() y los índices con .long().\nEn la CPU, usa float32 o bfloat16 en vez "
            "de Half.",
        ),
        (
            "すべての演算がすべての数値の型 (dtype) に対応しているわけではありません。",
            "{op} はこのデバイスでは {have} に対応していません。\nPyTorch は {object} 型の値をテンソルに変換できませ"
            "んでした。",
            "浮動小数点の演算に整数 (Long、Int、Byte) が渡されています (Embedding を通さない ID、.float() を通さない"
            "ラベルなど)。\n半精度 (Half) のモデルを CPU で動かしています。CPU では、この型に対応していない演算があり"
            "ます。\n値が None です (ラベルがない、関数に return がないなど)。",
            "値は .float() で、添字は .long() で変換します。\nCPU では Half の代わりに float32 か bfloat16 を使いま"
            "す。",
        ),
    ),
    Message(
        "one-number",
        (
            r"a Tensor with (?P<count>\d+) elements cannot be converted to Scalar",
            r"only one element tensors can be converted to Python scalars",
            r"Boolean value of Tensor with more than one value is ambiguous",
            r"only integer tensors of a single element can be converted to an index",
            r"only (?:integer|length-1|size-1|0-dimensional) (?:scalar )?arrays can be converted to (?:a scalar "
            r"index|Python scalars)",
        ),
        (
            "This line needs one number: .item(), float() and `if` need a tensor with one element; range() and a "
            "list index need a single integer.",
            "The tensor has {count} elements.",
            'A loss with reduction="none" was not averaged, a comparison gave one boolean per element, or two '
            "tensors broadcast to a matrix.\ntorch.tensor got a list of tensors that have several elements; "
            "torch.stack joins such tensors.",
            "Reduce the tensor to the number that you need with .mean(), .sum(), .any(), .all() or an index. Join a "
            "list of tensors with torch.stack.",
        ),
        (
            "Esta línea necesita un solo número: .item(), float() e `if` necesitan un tensor con un elemento; "
            "range() y el índice de una lista, un solo entero.",
            "El tensor tiene {count} elementos.",
            'Una pérdida con reduction="none" no se promedió, una comparación dio un booleano por elemento, o dos '
            "tensores se combinaron por broadcasting en una matriz.\ntorch.tensor recibió una lista de tensores con "
            "varios elementos; torch.stack une esos tensores.",
            "Reduce el tensor al número que necesitas con .mean(), .sum(), .any(), .all() o un índice. Une una lista "
            "de tensores con torch.stack.",
        ),
        (
            "この行には数値が 1 つ必要です。.item()、float()、`if` には要素が 1 つのテンソルが、range() とリストの添"
            "字には整数が 1 つ必要です。",
            "テンソルの要素は {count} 個です。",
            'reduction="none" の損失を平均していない、比較の結果が要素ごとの真偽値になっている、2 つのテンソルがブロ'
            "ードキャストで行列になった、などです。\ntorch.tensor に、複数の要素を持つテンソルのリストを渡していま"
            "す。そのようなテンソルは torch.stack でまとめます。",
            ".mean()、.sum()、.any()、.all() や添字で、テンソルを必要な 1 つの数値にします。テンソルのリストは "
            "torch.stack でまとめます。",
        ),
    ),
    Message(
        "missing-argument",
        (
            r"(?P<call>[\w.]*forward)\(\) (?P<what>missing \d+ required positional arguments?: [^\n]+|takes \d+ "
            r"positional arguments? but \d+ were given|got an unexpected keyword argument '\w+')",
        ),
        (
            "A module must be called with the arguments of its forward method; arguments without a default value are "
            "required.",
            "{call}: {what}.",
            "nn.Sequential passes only one argument to each layer and does not unpack a tuple from the layer before; "
            "or the output of a tokenizer was passed without **.",
            "Call model(**batch) if the batch is a dict, model(*batch) if it is a tuple. In place of nn.Sequential, "
            "write a forward of your own that passes all arguments.",
        ),
        (
            "Un módulo debe llamarse con los argumentos de su método forward; los que no tienen valor por defecto "
            "son obligatorios.",
            "{call}: {what}.",
            "nn.Sequential pasa un solo argumento a cada capa y no desempaqueta una tupla de la capa anterior; o la "
            "salida de un tokenizador se pasó sin **.",
            "Llama a model(**lote) si el lote es un dict, a model(*lote) si es una tupla. En lugar de nn.Sequential, "
            "escribe un forward propio que pase todos los argumentos.",
        ),
        (
            "モジュールは、forward メソッドの引数で呼び出します。既定値のない引数は省けません。",
            "{call}: {what}。",
            "nn.Sequential が各層に渡す引数は 1 つだけで、前の層が返したタプルは展開されません。または、トークナイザ"
            "の出力を ** なしで渡しています。",
            "バッチが辞書なら model(**batch)、タプルなら model(*batch) と呼びます。nn.Sequential の代わりには、すべて"
            "の引数を渡す自分の forward を書きます。",
        ),
    ),
)
