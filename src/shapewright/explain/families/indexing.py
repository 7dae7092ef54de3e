"""Indices: embedding tables, subscripts, masks, gather and scatter."""

from ..arithmetic import numbers
from ..model import Message


def _bound(field: dict[str, str]) -> dict[str, object]:
    if not field.get("index"):
        return {}
    size, index = int(field["size"]), int(field["index"])
    return {
        "last": size - 1,
        "needed": index + 1 if index >= 0 else "",
        "by_one": f"{index} = {size}" if index == size > 0 else "",
        "unnamed": "" if field.get("dim") else size,
    }


def _gather(field: dict[str, str]) -> dict[str, object]:
    index, shape = numbers(field["index"]), numbers(field["shape"])
    over = [
        f"{size} > {room} (dim {axis})"
        for axis, (size, room) in enumerate(zip(index, shape))
        if size > room and str(axis) != field["dim"]
    ]
    return {"over": ", ".join(over)}


MESSAGES = (
    Message(
        "embedding-range",
        (
            r"index out of range in self",
            r"index out of range: Tried to access index (?P<index>-?\d+) out of table with (?P<last>\d+) rows",
            r"srcIndex < srcSelectDimSize",
        ),
        (
            "An embedding accepts ids from 0 to num_embeddings - 1. On an axis of size n, index_select and index_add "
            "accept indices from 0 to n - 1.",
            "An id is negative, or is equal to or greater than the number of rows of the table.\nThe id is {index}; "
            "the last row is {last}.",
            "Special tokens were added to the tokenizer only, the ids start at 1, or labels with -100 were passed as "
            "input ids.\nA sequence is longer than the position table (GPT-2: 1024, BERT: 512).\nThe ids were passed "
            "to the wrong embedding.",
            "Compare ids.min() and ids.max() with num_embeddings. Create the embedding with len(vocabulary) rows, or "
            "call model.resize_token_embeddings(len(tokenizer)).\nTruncate sequences to the length of the position "
            "table: truncation=True, max_length=…",
        ),
        (
            "Un embedding admite ids de 0 a num_embeddings - 1. En un eje de tamaño n, index_select e index_add "
            "admiten índices de 0 a n - 1.",
            "Un id es negativo, o es igual o mayor que el número de filas de la tabla.\nEl id es {index}; la última "
            "fila es {last}.",
            "Se añadieron tokens especiales solo al tokenizador, los ids empiezan en 1, o se pasaron etiquetas con "
            "-100 como ids de entrada.\nUna secuencia es más larga que la tabla de posiciones (GPT-2: 1024, BERT: "
            "512).\nLos ids se pasaron al embedding equivocado.",
            "Compara ids.min() e ids.max() con num_embeddings. Crea el embedding con len(vocabulario) filas, o llama "
            "a model.resize_token_embeddings(len(tokenizer)).\nRecorta las secuencias a la longitud de la tabla de "
            "posiciones: truncation=True, max_length=…",
        ),
        (
            "埋め込みで使える ID は 0 から num_embeddings - 1 までです。サイズ n の軸では、index_select と index_add "
            "で使える添字は 0 から n - 1 までです。",
            "負の ID か、表の行数以上の ID があります。\nID は {index} ですが、最後の行は {last} です。",
            "トークナイザだけに特殊トークンを追加した、ID が 1 から始まる、-100 を含むラベルを入力 ID として渡した、"
            "のいずれかです。\n系列が位置埋め込みの表 (GPT-2 は 1024、BERT は 512) より長くなっています。\nID を別の"
            "埋め込みに渡しています。",
            "ids.min() と ids.max() を num_embeddings と比べます。埋め込みを len(語彙) 行で作るか、"
            "model.resize_token_embeddings(len(tokenizer)) を呼びます。\ntruncation=True, max_length=… で、系列を位置"
            "埋め込みの表の長さまで切り詰めます。",
        ),
    ),
    Message(
        "index-range",
        (
            r"index (?P<index>-?\d+) is out of bounds for (?:dimension|axis) (?P<dim>\d+) with size (?P<size>\d+)",
            r"out of range: tried to access index (?P<index>-?\d+) on a tensor of (?P<size>\d+) elements",
            r"Assertion [`']?(?:index >= -sizes|idx_dim >= 0|-sizes\[i\] <= index)[^\n]*",
            r"INDICES element is out of DATA bounds, id=(?P<index>-?\d+) axis_dim=(?P<size>\d+)",
        ),
        (
            "On an axis of size n, x[i] accepts indices from -n to n - 1; gather and scatter accept only 0 to n - 1.",
            "Index {index} is used on axis {dim}, whose size is {size}.\nIndex {index} is used where the number of "
            "elements is {unnamed}.",
            "The index equals the size ({by_one}); indices start at 0, so the index may be off by one.\nThe labels "
            "or positions were made for a different size (the axis would need size {needed}).\nThe loop runs over "
            "one axis but indexes a different axis, or the last batch is smaller.",
            "Print the index and the shape.\nIn x[i], -1 is the last element; the length is x.shape[{dim}].",
        ),
        (
            "En un eje de tamaño n, x[i] admite índices de -n a n - 1; gather y scatter admiten solo de 0 a n - 1.",
            "Se usa el índice {index} en el eje {dim}, de tamaño {size}.\nSe usa el índice {index} donde el número de "
            "elementos es {unnamed}.",
            "El índice es igual al tamaño ({by_one}); los índices empiezan en 0, así que el índice puede estar "
            "desplazado en uno.\nLas etiquetas o posiciones se hicieron para otro tamaño (el eje necesitaría tamaño "
            "{needed}).\nEl bucle recorre un eje, pero indexa otro eje, o el último lote es menor.",
            "Imprime el índice y la forma.\nEn x[i], -1 es el último elemento; la longitud es x.shape[{dim}].",
        ),
        (
            "サイズ n の軸では、x[i] で使える添字は -n から n - 1 まで、gather と scatter で使える添字は 0 から n - "
            "1 までです。",
            "軸 {dim} のサイズは {size} ですが、添字は {index} です。\n要素は {unnamed} 個ですが、添字は "
            "{index} です。",
            "添字がサイズと等しくなっています ({by_one})。添字は 0 から始まるため、1 つずれているのかもしれません。\n"
            "ラベルや位置が別のサイズに合わせて作られています (軸のサイズは {needed} 必要です)。\nループの回数を決め"
            "る軸と、添字を使う軸が違うか、最後のバッチが小さくなっています。",
            "添字と形状を表示します。\nx[i] では -1 が最後の要素です。長さは x.shape[{dim}] です。",
        ),
        sums=_bound,
    ),
    Message(
        "too-many-indices",
        (r"too many indices for tensor of dimension (?P<rank>\d+)",),
        (
            "A tensor accepts at most one index per axis. A boolean mask counts as one index for each of its axes; "
            "None and ... do not count.",
            "The number of axes of the tensor is {rank}.",
            "squeeze or an index already removed an axis, or the batch axis is missing.",
            "Print the shape. x[..., -1] indexes the last axis of a tensor with any number of axes from 1 up.",
        ),
        (
            "Un tensor admite como mucho un índice por eje. Una máscara booleana cuenta como un índice por cada uno "
            "de sus ejes; None y ... no cuentan.",
            "El número de ejes del tensor es {rank}.",
            "Un squeeze o un índice ya quitó un eje, o falta el eje de lote.",
            "Imprime la forma. x[..., -1] indexa el último eje de un tensor con cualquier número de ejes a partir de "
            "1.",
        ),
        (
            "添字は軸ごとに 1 つまでです。真偽値マスクは、マスクの軸 1 つにつき添字 1 つと数えます。None と ... は数"
            "えません。",
            "テンソルの軸は {rank} つです。",
            "squeeze や添字で軸がすでに消えているか、バッチの軸がありません。",
            "形状を表示します。x[..., -1] なら、1 次元以上の何次元のテンソルでも最後の軸に添字を使えます。",
        ),
    ),
    Message(
        "mask-shape",
        (
            r"The shape of the mask (?P<mask>\[[^\]]*\]) at index (?P<dim>\d+) does not match the shape of the indexed "
            r"tensor (?P<shape>\[[^\]]*\]) at index (?P<at>\d+)",
        ),
        (
            "In x[mask], the sizes of the boolean mask must equal the sizes of the axes of x that it selects from.",
            "The mask has shape {mask} and the tensor has shape {shape}: axis {dim} of the mask does not match axis "
            "{at} of the tensor.",
            "The mask was created before the tensor was shifted, cut or padded, or the mask belongs to a different "
            "batch.",
            "Cut the mask in the same way as the tensor: with logits[:, :-1] and targets[:, 1:], use mask[:, 1:].",
        ),
        (
            "En x[máscara], los tamaños de la máscara booleana deben ser iguales a los de los ejes de x de los que "
            "selecciona.",
            "La máscara tiene forma {mask} y el tensor tiene forma {shape}: el eje {dim} de la máscara no coincide "
            "con el eje {at} del tensor.",
            "La máscara se creó antes de desplazar, recortar o rellenar el tensor, o es de otro lote.",
            "Recorta la máscara igual que el tensor: con logits[:, :-1] y objetivos[:, 1:], usa máscara[:, 1:].",
        ),
        (
            "x[mask] では、真偽値マスクのサイズが、選択の対象となる x の軸のサイズと一致しなければなりません。",
            "マスクの形状は {mask}、テンソルの形状は {shape} で、マスクの軸 {dim} とテンソルの軸 {at} のサイズが違"
            "います。",
            "テンソルをずらす・切る・パディングする前に作ったマスクか、別のバッチのマスクです。",
            "マスクをテンソルと同じように切ります。logits[:, :-1] と targets[:, 1:] なら、mask[:, 1:] を使います。",
        ),
    ),
    Message(
        "index-broadcast",
        (
            r"shape mismatch: indexing (?:tensors|arrays) could not be broadcast together with shapes "
            r"(?P<shapes>[^\n]+)",
        ),
        (
            "Index tensors are combined element by element, so their shapes must be broadcastable.",
            "The index tensors have shapes {shapes}.",
            "x[rows, columns] picks one element for each pair (row, column); it does not pick the block of all these "
            "rows and columns.\narange(batch) and the labels have different batch sizes.",
            "For the block write x[rows[:, None], columns]; for one element per sample use "
            "x[torch.arange(len(labels)), labels].",
        ),
        (
            "Los tensores de índices se combinan elemento a elemento, así que sus formas deben admitir broadcasting.",
            "Los tensores de índices tienen formas {shapes}.",
            "x[filas, columnas] toma un elemento por cada par (fila, columna); no toma el bloque de todas esas filas "
            "y columnas.\narange(lote) y las etiquetas tienen tamaños de lote distintos.",
            "Para el bloque escribe x[filas[:, None], columnas]; para un elemento por muestra, "
            "x[torch.arange(len(etiquetas)), etiquetas].",
        ),
        (
            "添字のテンソルは要素ごとに組み合わされるため、形状がブロードキャストできなければなりません。",
            "添字のテンソルの形状は {shapes} です。",
            "x[rows, columns] は (行, 列) の組ごとに 1 要素を取り出します。これらの行と列すべてのブロックは取り出しま"
            "せん。\narange(バッチ) とラベルのバッチサイズが違います。",
            "ブロックなら x[rows[:, None], columns]、サンプルごとに 1 要素なら x[torch.arange(len(labels)), labels] "
            "とします。",
        ),
    ),
    Message(
        "index-type",
        (
            r"tensors used as indices must be long, (?:int, )?byte or bool tensors",
            r"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            r"(?P<type>[\w.]+) instead[^\n]*",
            r"gather\(\): Expected dtype int\d+(?:/int\d+)? for index",
            r"one_hot is only applicable to index tensor",
        ),
        (
            "Indices, token ids and class indices should have type torch.long (in newer versions x[i], Embedding, "
            "gather and index_add also accept int32); masks should have type torch.bool.",
            "The indices have type {type}.\nThe indices have a type that this call does not accept.",
            "NumPy or pandas turned the ids into floats or small integers, the data set returns them as floats, or a "
            "one-hot matrix was passed instead of ids.",
            "Use ids.long(). Turn a one-hot matrix into ids with onehot.argmax(-1), or pass it to a Linear layer "
            "instead of an Embedding.",
        ),
        (
            "Los índices, los ids de tokens y los índices de clase deberían ser de tipo torch.long (en versiones "
            "recientes x[i], Embedding, gather e index_add admiten también int32); las máscaras, de tipo torch.bool.",
            "Los índices son de tipo {type}.\nLos índices son de un tipo que esta llamada no admite.",
            "NumPy o pandas convirtió los ids en flotantes o enteros pequeños, el conjunto de datos los devuelve "
            "como flotantes, o se pasó una matriz one-hot en lugar de ids.",
            "Usa ids.long(). Convierte una matriz one-hot en ids con onehot.argmax(-1), o pásala a una capa Linear "
            "en vez de a un Embedding.",
        ),
        (
            "添字・トークン ID・クラス番号の型は torch.long にします (新しいバージョンの x[i]、Embedding、gather、"
            "index_add では int32 も使えます)。マスクの型は torch.bool にします。",
            "渡された添字の型は {type} です。\n渡された添字の型は、この呼び出しでは使えません。",
            "NumPy や pandas で ID が浮動小数や小さな整数型になったか、データセットが ID を浮動小数で返しているか、"
            "ID の代わりに one-hot 行列を渡しています。",
            "ids.long() とします。one-hot 行列は onehot.argmax(-1) で ID に変えるか、Embedding ではなく Linear に渡し"
            "ます。",
        ),
    ),
    Message(
        "gather-rank",
        (
            r"Index tensor must have the same number of dimensions as (?P<what>\w+) tensor",
            r"index_select\(\): Index is supposed to be a (?P<what>vector)[^\n]*",
        ),
        (
            "gather and scatter expect an index with as many axes as the tensor; index_select expects a vector "
            "or one number.",
            "The index has the wrong number of axes.",
            "From a tensor (batch, classes), gather should take one value per sample, but the index has shape "
            "(batch,).",
            "Write x.gather(1, index.unsqueeze(1)).squeeze(1), which gives one value per sample.",
        ),
        (
            "gather y scatter esperan un índice con tantos ejes como el tensor; index_select, un vector o un número.",
            "El índice tiene un número incorrecto de ejes.",
            "De un tensor (lote, clases), gather debe tomar un valor por muestra, pero el índice tiene forma (lote,).",
            "Escribe x.gather(1, indice.unsqueeze(1)).squeeze(1), que da un valor por muestra.",
        ),
        (
            "gather と scatter の添字はテンソルと同じ次元数、index_select の添字はベクトルか数値 1 つです。",
            "添字の次元数が合っていません。",
            "(バッチ, クラス) のテンソルからサンプルごとに値を 1 つ取ろうとしていますが、添字の形状が (バッチ,) です。",
            "x.gather(1, index.unsqueeze(1)).squeeze(1) と書くと、サンプルごとに値が 1 つ得られます。",
        ),
    ),
    Message(
        "gather-size",
        (
            r"(?:Size does not match at dimension \d+ e|E)xpected index (?P<index>\[[^\]]*\]) to be (?:no "
            r"larger|smaller) than self (?P<shape>\[[^\]]*\]) apart from dimension "
            r"(?P<dim>\d+)(?: and to be (?:no larger size|smaller size) than src (?P<src>\[[^\]]*\]))?",
        ),
        (
            "On every axis except {dim}, the index must not be larger than the tensor. In scatter, the index must "
            "also not be larger than src on any axis.",
            "The index has shape {index}; the tensor has shape {shape}.\nsrc has shape {src}.",
            "The index is too large: {over}.\nThe index belongs to a different batch, or dim is wrong.",
            "Create the index and the tensor from the same batch, and check that axis {dim} is the axis to select "
            "from.",
        ),
        (
            "En todos los ejes salvo el {dim}, el índice no puede ser mayor que el tensor. En scatter, el índice "
            "tampoco puede ser mayor que src en ningún eje.",
            "El índice tiene forma {index}; el tensor tiene forma {shape}.\nsrc tiene forma {src}.",
            "El índice es demasiado grande: {over}.\nEl índice es de otro lote, o dim está mal.",
            "Crea el índice y el tensor a partir del mismo lote, y comprueba que el eje {dim} es el eje del que "
            "quieres seleccionar.",
        ),
        (
            "軸 {dim} 以外の軸では、添字がテンソルより大きくてはいけません。scatter ではさらに、どの軸でも添字が src "
            "より大きくてはいけません。",
            "添字の形状は {index}、テンソルの形状は {shape} です。\nsrc の形状は {src} です。",
            "添字が大きすぎます: {over}。\n添字が別のバッチのものか、dim が違います。",
            "添字とテンソルを同じバッチから作り、軸 {dim} が選択したい軸であることを確かめます。",
        ),
        sums=_gather,
    ),
    Message(
        "one-hot-classes",
        (r"Class values must be smaller than num_classes", r"Class values must be non-negative"),
        (
            "one_hot(ids, n) expects ids from 0 to n - 1.",
            "An id is negative or greater than n - 1.",
            "The labels start at 1, missing labels are marked with -1 or -100, or num_classes is too small.",
            "Subtract 1 from labels that start at 1, remove missing labels, or set num_classes to the real number of "
            "classes.",
        ),
        (
            "one_hot(ids, n) espera ids de 0 a n - 1.",
            "Un id es negativo o mayor que n - 1.",
            "Las etiquetas empiezan en 1, las etiquetas ausentes se marcan con -1 o -100, o num_classes es demasiado "
            "pequeño.",
            "Resta 1 a las etiquetas que empiezan en 1, quita las etiquetas ausentes, o pon en num_classes el número "
            "real de clases.",
        ),
        (
            "one_hot(ids, n) の ID は 0 から n - 1 までです。",
            "負の ID か、n - 1 より大きい ID があります。",
            "ラベルが 1 から始まる、欠損したラベルを -1 や -100 で表している、num_classes が小さすぎる、のいずれかで"
            "す。",
            "1 から始まるラベルから 1 を引くか、欠損したラベルを除くか、num_classes を実際のクラス数にします。",
        ),
    ),
    Message(
        "topk-range",
        (r"selected (?:index|number) k out of range",),
        (
            "In topk, k must be between 0 and the size of the axis; in kthvalue, between 1 and the size of the axis.",
            "k does not fit the size of the axis. By default, the axis is the last one (dim=-1).",
            "There are fewer classes or candidates than k (often in a small test), or topk runs over the batch axis.",
            "Use k = min(k, x.size(-1)), or pass the correct dim.",
        ),
        (
            "En topk, k debe estar entre 0 y el tamaño del eje; en kthvalue, entre 1 y el tamaño del eje.",
            "k no corresponde al tamaño del eje. Por defecto, el eje es el último (dim=-1).",
            "Hay menos clases o candidatos que k (a menudo en una prueba pequeña), o topk se aplica sobre el eje de "
            "lote.",
            "Usa k = min(k, x.size(-1)), o indica el dim correcto.",
        ),
        (
            "topk の k は 0 から軸のサイズまで、kthvalue の k は 1 から軸のサイズまでです。",
            "k が軸のサイズに合いません。既定の軸は最後の軸 (dim=-1) です。",
            "クラスや候補が k より少ない (小さなテストでよくあります) か、バッチの軸で topk を取っています。",
            "k = min(k, x.size(-1)) とするか、正しい dim を指定します。",
        ),
    ),
)
