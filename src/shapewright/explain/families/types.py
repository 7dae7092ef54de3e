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
            "The operands of this call, such as the input and the weights of a layer, must have the same type, "
            "normally float32.",
            "One operand has type {a}, the other {b}.",
            "By default NumPy makes float64 (Double); images are often uint8 (unsigned char), ids int64 "
            "(Long); a model after .half() expects float16 inputs.\nIf only one of the two types contains "
            "cuda, the other tensor is still on the CPU.",
            "Use x.float() at the input (or x.to(next(model.parameters()).dtype)); divide images by 255; for "
            "mixed precision use autocast instead of .half().",
        ),
        (
            "Los operandos de esta llamada, como la entrada y los pesos de una capa, deben ser del mismo tipo, "
            "normalmente float32.",
            "Un operando es de tipo {a} y el otro de tipo {b}.",
            "Por defecto NumPy crea float64 (Double); las imágenes suelen ser uint8 (unsigned char), los "
            "ids int64 (Long); tras .half() el modelo espera float16.\nSi solo uno de los dos tipos "
            "contiene cuda, el otro tensor sigue en la CPU.",
            "Usa x.float() en la entrada (o x.to(next(model.parameters()).dtype)); divide las imágenes entre "
            "255; para precisión mixta, autocast en vez de .half().",
        ),
        (
            "層の入力と重みなど、この呼び出しの引数は同じ型でなければなりません (普通は float32)。",
            "片方の型は {a}、もう片方は {b} です。",
            "NumPy の既定は float64 (Double) で、画像は uint8 (unsigned char)、ID は int64 (Long) が普通で"
            "す。.half() したモデルは float16 を求めます。\n片方の型だけに cuda が付いていれば、もう片方の"
            "テンソルはまだ CPU にあります。",
            "入力を x.float() (または x.to(next(model.parameters()).dtype)) にし、画像は 255 で割ります。混合精度"
            "には .half() ではなく autocast を使います。",
        ),
    ),
    Message(
        "result-type",
        (r"result type (?P<a>\w+) can't be cast to the desired output type (?P<b>\w+)",),
        (
            "An operation such as += keeps the type of its left side, which must be able to hold the "
            "result; BCEWithLogitsLoss needs a float target.",
            "The result has type {a}, but is to be stored as {b}.",
            "A tensor of integers (a counter, labels, torch.arange) is changed in place with floats, or "
            "BCEWithLogitsLoss was given integer labels.",
            "Write x = x + y instead of x += y, or create the tensor as float; pass target.float() to the loss.",
        ),
        (
            "Una operación como += conserva el tipo de su lado izquierdo, en el que debe caber el "
            "resultado; BCEWithLogitsLoss necesita un objetivo float.",
            "El resultado es de tipo {a}, pero debe guardarse como {b}.",
            "Un tensor de enteros (un contador, etiquetas, torch.arange) se modifica in-place con flotantes, o "
            "BCEWithLogitsLoss recibió etiquetas enteras.",
            "Escribe x = x + y en vez de x += y, o crea el tensor como float; pasa objetivo.float() a la pérdida.",
        ),
        (
            "+= などの演算では左辺の型が変わらないので、結果がその型に入らなければなりません。"
            "BCEWithLogitsLoss のターゲットは float です。",
            "結果の型は {a} ですが、格納先は {b} です。",
            "整数のテンソル (カウンタ、ラベル、torch.arange) を浮動小数でインプレースに変えているか、BCEWithLogitsLoss "
            "に整数のラベルを渡しています。",
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
            "All operands of a call must be on the same device (usual exceptions: a 0-d CPU tensor in "
            "elementwise operations, CPU indices in x[i]).",
            "The operands are on {a} and {b}.\nThe operands are on {c} and {d}.\nThe operands are on different "
            "devices.",
            "The model was moved and the batch was not, or a tensor was made inside forward without device=… (masks, "
            "zeros, hidden states, position ids).",
            "Move each batch with .to(device); inside a module create tensors with device=x.device, or use "
            "register_buffer.",
        ),
        (
            "Todos los operandos de una llamada deben estar en el mismo dispositivo (excepciones habituales: un "
            "tensor 0-d de la CPU en operaciones elemento a elemento, índices de la CPU en x[i]).",
            "Los operandos están en {a} y {b}.\nLos operandos están en {c} y {d}.\nLos operandos están en "
            "dispositivos distintos.",
            "Se movió el modelo y no el lote, o se creó un tensor dentro de forward sin device=… (máscaras, ceros, "
            "estados, posiciones).",
            "Mueve cada lote con .to(device); dentro de un módulo crea tensores con device=x.device, o usa "
            "register_buffer.",
        ),
        (
            "1 つの呼び出しの引数は、すべて同じデバイスになければなりません (普通の例外は、要素ごとの演算での "
            "CPU 上の 0 次元テンソルと、x[i] での CPU 上の添字です)。",
            "引数は {a} と {b} にあります。\n引数は {c} と {d} にあります。\n引数が別々のデバイスにあります。",
            "モデルだけを移してバッチを移していないか、forward の中で device=… なしにテンソル (マスク、ゼロ、隠れ状態、"
            "位置) を作っています。",
            "バッチを .to(device) で移します。モジュールの中では device=x.device で作るか register_buffer を使います。",
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
            "A tensor is expected here.",
            "The value has type {have} ({name}).\n{call}() got {plain}.",
            "nn.LSTM and nn.GRU return (output, state), so the layer after them in nn.Sequential gets a tuple; "
            "MultiheadAttention returns (output, weights).\nModels of Transformers return an output object: take "
            ".logits or .last_hidden_state.\nA forward without return gives None.",
            "Take the tensor out first, as in output, _ = self.lstm(x).",
        ),
        (
            "Aquí se espera un tensor.",
            "El valor es de tipo {have} ({name}).\n{call}() recibió {plain}.",
            "nn.LSTM y nn.GRU devuelven (output, estado), así que la capa que las sigue en nn.Sequential recibe "
            "una tupla; MultiheadAttention devuelve (output, pesos).\nLos modelos de Transformers devuelven un "
            "objeto: toma .logits o .last_hidden_state.\nUn forward sin return da None.",
            "Extrae antes el tensor, como en output, _ = self.lstm(x).",
        ),
        (
            "ここにはテンソルが必要です。",
            "渡された値の型は {have} です ({name})。\n{call}() に {plain} が渡されました。",
            "nn.LSTM と nn.GRU は (出力, 状態) を返すので、nn.Sequential ではその次の層にタプルが渡ります。"
            "MultiheadAttention は (出力, 重み) を返します。\nTransformers のモデルは出力オブジェクトを返します。"
            ".logits や .last_hidden_state を取り出します。\nreturn のない forward は None を返します。",
            "先に output, _ = self.lstm(x) のようにテンソルを取り出します。",
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
            "Not every operation supports every number type.",
            "{op} has no version for {have} on this device.\nPyTorch could not turn a value of type {object} into "
            "numbers.",
            "Integers (Long, Int, Byte) reach a floating-point operation: ids or labels without Embedding or "
            ".float().\nA half-precision model (Half) runs on the CPU, which lacks some operations for it.\nA value "
            "is None: a missing label, a function without return.",
            "Use x.float() for values, .long() for indices.\nOn the CPU keep float32, or try bfloat16.",
        ),
        (
            "No toda operación admite todos los tipos de número.",
            "{op} no tiene versión para {have} en este dispositivo.\nPyTorch no pudo convertir en números un valor de "
            "tipo {object}.",
            "Llegan enteros (Long, Int, Byte) a una operación de coma flotante: ids o etiquetas sin Embedding ni "
            ".float().\nUn modelo en media precisión (Half) se ejecuta en la CPU, que carece de algunas "
            "operaciones.\nUn valor es None: una etiqueta que falta, una función sin return.",
            "Usa x.float() donde se esperan números, .long() donde se esperan índices.\n"
            "En la CPU conserva float32, o prueba bfloat16.",
        ),
        (
            "どの演算もすべての数値の型に対応しているわけではありません。",
            "{op} はこのデバイスでは {have} に対応していません。\nPyTorch は型 {object} の値を数値に変換できませんで"
            "した。",
            "整数 (Long、Int、Byte) が浮動小数点の演算に渡っています (Embedding や .float() を通さない ID "
            "やラベル)。\n半精度 (Half) のモデルを CPU で動かしています。CPU には対応していない演算があります。\n"
            "値が None です (ラベルの欠落、return のない関数)。",
            "数値なら x.float()、添字なら .long() とします。\nCPU では float32 のままにするか bfloat16 を試します。",
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
            "One number is expected: .item(), float() and if take a single element, range() and a list "
            "index a single integer.",
            "The tensor has {count} elements.",
            'A loss with reduction="none" was not averaged, a comparison gives one truth value per element, or '
            "two losses broadcast to a matrix.\n"
            "torch.tensor takes no list of tensors with several elements: join them with torch.stack.",
            "State which number you need: .mean(), .sum(), .any(), .all() or an index; torch.stack for a list of "
            "tensors.",
        ),
        (
            "Se espera un solo número: .item(), float() e if toman un elemento; range() y el índice de una "
            "lista, un solo entero.",
            "El tensor tiene {count} elementos.",
            'Una pérdida con reduction="none" no se promedió, una comparación da un valor por elemento, o dos '
            "pérdidas se combinaron por broadcasting en una matriz.\n"
            "torch.tensor no admite una lista de tensores con varios elementos: únelos con torch.stack.",
            "Indica qué número quieres: .mean(), .sum(), .any(), .all() o un índice; torch.stack para una lista de "
            "tensores.",
        ),
        (
            "必要なのは数値 1 つです。.item()、float()、if は要素 1 つのテンソルを、range() とリストの添字"
            "は整数 1 つを取ります。",
            "要素が {count} 個あります。",
            'reduction="none" の損失を平均していない、比較が要素ごとの真偽値を返している、2 つの損失がブロードキ'
            "ャストで行列になった、などです。\n"
            "torch.tensor には、複数の要素を持つテンソルのリストは渡せません。torch.stack で重ねます。",
            ".mean()、.sum()、.any()、.all() や添字でどの数値かを示します。テンソルのリストなら torch.stack です。",
        ),
    ),
    Message(
        "missing-argument",
        (
            r"(?P<call>[\w.]*forward)\(\) (?P<what>missing \d+ required positional arguments?: [^\n]+|takes \d+ "
            r"positional arguments? but \d+ were given|got an unexpected keyword argument '\w+')",
        ),
        (
            "forward takes the arguments that its definition names; those without a default are required.",
            "{call}: {what}.",
            "nn.Sequential passes only one argument; a tuple from the layer before is not unpacked; a tokenizer's "
            "output was passed without **.",
            "Call model(**batch) for a dict, model(*batch) for a tuple.",
        ),
        (
            "forward toma los argumentos de su definición; los que no tienen valor por defecto son obligatorios.",
            "{call}: {what}.",
            "nn.Sequential pasa un solo argumento; una tupla de la capa anterior no se desempaqueta; la salida del "
            "tokenizador se pasó sin **.",
            "Llama a model(**lote) con un dict, a model(*lote) con una tupla.",
        ),
        (
            "forward が取るのは定義にある引数だけです。既定値のない引数は省けません。",
            "{call}: {what}。",
            "nn.Sequential が渡す引数は 1 つです。前の層のタプルは展開されません。トークナイザの出力に ** "
            "を付け忘れることもあります。",
            "辞書なら model(**batch)、タプルなら model(*batch) と呼びます。",
        ),
    ),
)
