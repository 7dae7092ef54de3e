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
            "An embedding looks every id up in its table: ids run from 0 to num_embeddings - 1. index_select and "
            "index_add, too, take only indices from 0 to the axis's size - 1.",
            "Some id is negative or not below the size of the table.\nId {index} was looked up; the last row is "
            "{last}.",
            "Special tokens were added, ids start at 1, or -100 (ignored labels) was fed as input.\nA "
            "sequence is longer than the table of positions (GPT-2: 1024, BERT: 512).\nTwo tables were "
            "swapped.",
            "Compare ids.min() and ids.max() with the table's size; give it len(vocabulary) rows, or call "
            "model.resize_token_embeddings(len(tokenizer)).\nTruncate sequences to the length of the position table: "
            "truncation=True, max_length=…",
        ),
        (
            "Un embedding busca cada id en su tabla: los ids van de 0 a num_embeddings - 1. También index_select e "
            "index_add toman solo índices de 0 al tamaño del eje - 1.",
            "Algún id es negativo o es igual o mayor que el tamaño de la tabla.\nSe buscó el id {index}; la última "
            "fila es {last}.",
            "Se añadieron tokens especiales, los ids empiezan en 1, o se dio -100 (etiquetas ignoradas) "
            "como entrada.\nUna secuencia es más larga que la tabla de posiciones (GPT-2: 1024, BERT: "
            "512).\nSe intercambiaron dos tablas.",
            "Compara ids.min() e ids.max() con el tamaño de la tabla; dale len(vocabulario) filas, o llama a "
            "model.resize_token_embeddings(len(tokenizer)).\nRecorta las secuencias a la longitud de la tabla de "
            "posiciones: truncation=True, max_length=…",
        ),
        (
            "埋め込みは ID を表から引きます。ID は 0 から num_embeddings - 1 までです。index_select と index_add の"
            "添字も、0 から 軸のサイズ - 1 までに限られます。",
            "負の ID か、表のサイズ以上の ID があります。\nID {index} を引きましたが、最後の行は {last} です。",
            "特殊トークンを追加した、ID が 1 から始まる、無視ラベル -100 を入力に渡した、などです。\n系列が"
            "位置の表 (GPT-2 は 1024、BERT は 512) より長いです。\n2 つの表を取り違えています。",
            "ids.min() と ids.max() を表のサイズと比べます。len(語彙) にするか、"
            "model.resize_token_embeddings(len(tokenizer)) を呼びます。\ntruncation=True, max_length=… "
            "で系列を位置の表の長さまで切り詰めます。",
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
            "In x[i], an index runs from -size to size - 1 of its axis; in gather and scatter, only from 0 to size "
            "- 1.",
            "Index {index} is used on axis {dim}, whose size is {size}.\nIndex {index} is used where the number of "
            "elements is {unnamed}.",
            "The index equals the size ({by_one}): it may be off by one, since indices start at 0.\nLabels "
            "or positions were made for another size (the axis would need size {needed}).\nThe loop runs "
            "over one axis and indexes another, or the last batch is smaller.",
            "Print the index and the shape.\nIn x[i], -1 is the last element; the length is x.shape[{dim}].",
        ),
        (
            "En x[i], un índice va de -tamaño a tamaño - 1 de su eje; en gather y scatter, solo de 0 a tamaño - 1.",
            "Se usa el índice {index} en el eje {dim}, de tamaño {size}.\nSe usa el índice {index} donde el número de "
            "elementos es {unnamed}.",
            "El índice es igual al tamaño ({by_one}): puede haber un desfase de uno, pues los índices "
            "empiezan en 0.\nLas etiquetas o posiciones se hicieron para otro tamaño (el eje tendría que "
            "medir {needed}).\nEl bucle recorre un eje e indexa otro, o el último lote es menor.",
            "Imprime el índice y la forma.\nEn x[i], -1 es el último elemento; la longitud es x.shape[{dim}].",
        ),
        (
            "x[i] の添字は、軸の -サイズ から サイズ - 1 までです。gather と scatter では 0 から サイズ - 1 までに"
            "限られます。",
            "軸 {dim} のサイズは {size} ですが、添字は {index} です。\n要素は {unnamed} 個ですが、添字は "
            "{index} です。",
            "添字がサイズと等しく ({by_one})、1 つずれているのかもしれません。添字は 0 から始まります。\nラ"
            "ベルや位置が別のサイズに合わせて作られています (軸のサイズは {needed} 必要です)。\nループする"
            "軸と添字を使う軸が違うか、最後のバッチが小さくなっています。",
            "添字と形状を表示します。\nx[i] では -1 が最後の要素です。長さは x.shape[{dim}] です。",
        ),
        sums=_bound,
    ),
    Message(
        "too-many-indices",
        (r"too many indices for tensor of dimension (?P<rank>\d+)",),
        (
            "There can be at most one index per axis; a boolean mask counts as many times as it has axes, None "
            "and ... not at all.",
            "The number of axes of the tensor is {rank}.",
            "An axis was squeezed or indexed away before, or a batch axis is missing.",
            "Print the shape; x[..., -1] indexes the last axis at any rank from 1 up.",
        ),
        (
            "Como mucho un índice por eje; una máscara booleana cuenta tantas veces como ejes tiene; None y ... "
            "no cuentan.",
            "El número de ejes del tensor es {rank}.",
            "Antes se quitó un eje con squeeze o un índice, o falta el de lote.",
            "Imprime la forma; x[..., -1] indexa el último eje con cualquier rango desde 1.",
        ),
        (
            "添字は軸ごとに 1 つまでです。真偽値マスクは、その軸の数だけ添字として数えます (None と ... は数えま"
            "せん)。",
            "テンソルの軸は {rank} つです。",
            "squeeze や添字で軸が消えたか、バッチの軸がありません。",
            "形状を表示します。1 次元以上なら、次元数によらず x[..., -1] で最後の軸に添字を使えます。",
        ),
    ),
    Message(
        "mask-shape",
        (
            r"The shape of the mask (?P<mask>\[[^\]]*\]) at index (?P<dim>\d+) does not match the shape of the indexed "
            r"tensor (?P<shape>\[[^\]]*\]) at index (?P<at>\d+)",
        ),
        (
            "In x[mask], a boolean mask must have the same sizes as the axes that it selects from.",
            "The mask has shape {mask}, the tensor {shape}; axis {dim} of the mask does not match axis {at} of the "
            "tensor.",
            "The mask was made before the tensor was shifted, cut or padded, or from another batch.",
            "Cut the mask as the tensor was cut: logits[:, :-1] and targets[:, 1:] go with mask[:, 1:].",
        ),
        (
            "En x[máscara], una máscara booleana debe tener los mismos tamaños que los ejes de los que selecciona.",
            "La máscara tiene forma {mask}; el tensor, {shape}; el eje {dim} de la máscara no coincide con el eje "
            "{at} del tensor.",
            "La máscara se creó antes de desplazar, recortar o rellenar el tensor, o con otro lote.",
            "Recorta la máscara como el tensor: logits[:, :-1] y objetivos[:, 1:] van con máscara[:, 1:].",
        ),
        (
            "x[mask] の真偽値マスクは、選ぶ軸と同じサイズでなければなりません。",
            "マスクの形状は {mask}、テンソルの形状は {shape} で、マスクの軸 {dim} とテンソルの軸 {at} のサイズが違"
            "います。",
            "テンソルをずらす・切る・パディングする前に作ったマスクか、別のバッチのマスクです。",
            "マスクをテンソルと同じように切ります。logits[:, :-1] と targets[:, 1:] には mask[:, 1:] が対応します。",
        ),
    ),
    Message(
        "index-broadcast",
        (
            r"shape mismatch: indexing (?:tensors|arrays) could not be broadcast together with shapes "
            r"(?P<shapes>[^\n]+)",
        ),
        (
            "Index tensors are paired element by element, so their shapes must broadcast.",
            "The index tensors have shapes {shapes}.",
            "A block x[rows][:, columns] was intended, but x[rows, columns] takes one element per pair (row, "
            "column).\narange(batch) was made for a batch of a different size than the labels.",
            "For a block write x[rows[:, None], columns]; for one element per sample use arange(len(labels)).",
        ),
        (
            "Los tensores índice se emparejan elemento a elemento, así que sus formas deben admitir broadcasting.",
            "Los tensores índice tienen formas {shapes}.",
            "Se quería un bloque x[filas][:, columnas], pero x[filas, columnas] toma un elemento por cada par (fila, "
            "columna).\narange(lote) se hizo para un lote de tamaño distinto al de las etiquetas.",
            "Para un bloque escribe x[filas[:, None], columnas]; para un elemento por muestra, arange(len(etiquetas)).",
        ),
        (
            "添字テンソルは要素ごとに組になるので、形状がブロードキャストできなければなりません。",
            "添字テンソルの形状は {shapes} です。",
            "x[rows, columns] は (行, 列) の組ごとに 1 要素を取り出します。ブロックが必要なら x[rows][:, columns] "
            "とします。\narange(バッチ) がラベルとはサイズの違うバッチに合わせて作られています。",
            "ブロックなら x[rows[:, None], columns]、サンプルごとに 1 つなら arange(len(labels)) を使います。",
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
            "Use torch.long for indices, token ids and classes (some calls, such as x[i], an Embedding, gather and "
            "index_add, also take int32 in newer versions), and torch.bool for masks.",
            "The indices have type {type}.\nThe type of the indices is none of these.",
            "The ids passed through NumPy or pandas as floats or small integers, a DataLoader collated them as "
            "float, or a one-hot matrix was given instead of ids.",
            "Use ids.long(); for a one-hot matrix use onehot.argmax(-1), or feed it to a Linear layer instead of an "
            "Embedding.",
        ),
        (
            "Usa torch.long para índices, ids de tokens y clases (algunas llamadas, como x[i], un Embedding, gather o "
            "index_add, admiten también int32 en versiones recientes) y torch.bool para máscaras.",
            "Los índices son de tipo {type}.\nEl tipo de los índices no es ninguno de estos.",
            "Los ids pasaron por NumPy o pandas como flotantes o enteros pequeños, un DataLoader los agrupó como "
            "float, o se dio una matriz one-hot en lugar de ids.",
            "Usa ids.long(); para una one-hot usa onehot.argmax(-1), o pásala a una Linear en vez de a un Embedding.",
        ),
        (
            "添字・トークン ID・クラスは torch.long (x[i]、Embedding、gather、index_add など、新しい版では int32 も使"
            "える呼び出しがあります)、マスクは torch.bool にします。",
            "渡された型は {type} です。\n添字の型がこれらのどれでもありません。",
            "NumPy や pandas を経て浮動小数や小さな整数型になったか、DataLoader が float としてまとめたか、ID の代"
            "わりに one-hot 行列を渡しています。",
            "ids.long() とします。one-hot なら onehot.argmax(-1) にするか、Embedding ではなく Linear に渡します。",
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
            "The number of axes of the index does not fit.",
            "One value per sample is gathered from (batch, classes) with an index of shape (batch,).",
            "x.gather(1, index.unsqueeze(1)).squeeze(1) gives one value per sample.",
        ),
        (
            "gather y scatter esperan un índice con tantos ejes como el tensor; index_select, un vector o un número.",
            "El número de ejes del índice no encaja.",
            "Se toma un valor por muestra de (lote, clases) con un índice de forma (lote,).",
            "x.gather(1, indice.unsqueeze(1)).squeeze(1) da un valor por muestra.",
        ),
        (
            "gather と scatter の添字はテンソルと同じ次元数、index_select の添字はベクトルか数値 1 つです。",
            "添字の次元数が合っていません。",
            "(バッチ, クラス) から、形状 (バッチ,) の添字でサンプルごとに 1 つ取ろうとしています。",
            "x.gather(1, index.unsqueeze(1)).squeeze(1) でサンプルごとに 1 つの値になります。",
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
            "On every axis but dim {dim}, the index may not be larger than the tensor; for scatter, it may not be "
            "larger than src on any axis.",
            "The index has shape {index}, the tensor {shape}.\nsrc has shape {src}.",
            "The index is too large: {over}.\nThe index belongs to another batch, or dim is wrong.",
            "Build index and source from the same batch; check which axis dim={dim} is.",
        ),
        (
            "Salvo en el eje dim {dim}, el índice no puede ser mayor que el tensor; en scatter, además, no puede ser "
            "mayor que src en ningún eje.",
            "El índice tiene forma {index}; el tensor, {shape}.\nsrc tiene forma {src}.",
            "El índice es demasiado grande: {over}.\nEl índice es de otro lote, o dim está mal.",
            "Crea índice y fuente del mismo lote; comprueba qué eje es dim={dim}.",
        ),
        (
            "dim {dim} 以外の軸では、添字がテンソルより大きくてはいけません。scatter ではさらに、どの軸でも src "
            "より大きくてはいけません。",
            "添字の形状は {index}、テンソルの形状は {shape} です。\nsrc の形状は {src} です。",
            "大きすぎる軸: {over}。\n添字が別のバッチのものか、dim が違います。",
            "添字と元のテンソルを同じバッチから作り、dim={dim} がどの軸か確かめます。",
        ),
        sums=_gather,
    ),
    Message(
        "one-hot-classes",
        (r"Class values must be smaller than num_classes", r"Class values must be non-negative"),
        (
            "one_hot(ids, n) expects ids from 0 to n - 1.",
            "An id is outside the range 0 to n - 1.",
            "Labels start at 1, -1 or -100 marks a missing label, or num_classes is too small.",
            "Subtract 1 from labels that start at 1, remove the entries marked as missing, or set "
            "num_classes to ids.max() + 1.",
        ),
        (
            "one_hot(ids, n) espera ids de 0 a n - 1.",
            "Algún id está fuera del rango de 0 a n - 1.",
            "Las etiquetas empiezan en 1, -1 o -100 marca una ausente, o num_classes es pequeño.",
            "Resta 1 a las etiquetas que empiezan en 1, quita las marcadas como ausentes, o pon "
            "num_classes a ids.max() + 1.",
        ),
        (
            "one_hot(ids, n) の ID は 0 から n - 1 までです。",
            "0 から n - 1 の範囲外の ID があります。",
            "ラベルが 1 から始まる、-1 や -100 で欠損を表している、num_classes が小さい、のいずれかです。",
            "1 から始まるラベルから 1 を引くか、欠損の印が付いたものを除くか、num_classes を ids.max() + 1 にします。",
        ),
    ),
    Message(
        "topk-range",
        (r"selected (?:index|number) k out of range",),
        (
            "topk expects k from 0 to the size of the axis, kthvalue from 1.",
            "k is outside this range (dim=-1 by default).",
            "There are fewer classes or candidates than k, often in a small test, or topk runs over the batch.",
            "Use k = min(k, x.size(-1)), or pass dim.",
        ),
        (
            "topk espera un k de 0 al tamaño del eje; kthvalue, desde 1.",
            "k está fuera de ese rango (dim=-1 por defecto).",
            "Hay menos clases o candidatos que k, a menudo en una prueba pequeña, o topk sobre el lote.",
            "Usa k = min(k, x.size(-1)), o indica dim.",
        ),
        (
            "topk の k は 0 から軸のサイズまで、kthvalue の k は 1 からです。",
            "k がこの範囲にありません (既定は dim=-1)。",
            "クラスや候補が k より少ないか、バッチの軸で topk を取っています。",
            "k = min(k, x.size(-1)) とするか、dim を指定します。",
        ),
    ),
)
