"""Multi-head attention and Transformers."""

from ..arithmetic import divisors_near, numbers
from ..model import Message


def _mask(field: dict[str, str]) -> dict[str, object]:
    want = numbers(field["want"])
    have = numbers(field["have"])
    return {
        "heads": f"{want[0]} = batch · heads" if len(want) == 3 else "",
        "same": "" if want[-2:] == have[-2:] else f"{have[-2:]} ≠ {want[-2:]}",
    }


MESSAGES = (
    Message(
        "heads",
        (
            r"embed_dim must be divisible by num_heads(?: \(got `embed_dim`: (?P<embed>\d+) and `num_heads`: "
            r"(?P<heads>\d+)\))?",
            r"[Tt]he hidden size \((?P<embed>\d+)\) is not a multiple of the number of attention heads "
            r"\((?P<heads>\d+)\)",
            r"`?embed_dim`? must be divisible by (?:`?num_heads`?|num_attention_heads)[^\n]*",
            r"hidden_size must be divisible by num_heads[^\n]*",
        ),
        (
            "This attention splits the embedding into heads of equal size: embed_dim = num_heads * head_dim.",
            "The embedding size is not a multiple of the number of heads.\n{embed} cannot be split into {heads} heads.",
            "embed_dim was set to the number of features in the data (of sensors or columns, for example), which is "
            "often not divisible by the number of heads.",
            "Choose num_heads among the divisors of embed_dim: {near}.\nOr first project the features to a multiple "
            "of the number of heads: Linear(features, num_heads * head_dim).",
        ),
        (
            "Esta atención reparte el embedding en cabezas de igual tamaño: embed_dim = num_heads * head_dim.",
            "El tamaño del embedding no es múltiplo del número de cabezas.\n{embed} no se puede repartir entre "
            "{heads} cabezas.",
            "embed_dim se fijó en el número de características de los datos (de sensores o columnas, por ejemplo), "
            "que a menudo no es divisible entre el número de cabezas.",
            "Elige num_heads entre los divisores de embed_dim: {near}.\nO proyecta antes las características a un "
            "múltiplo del número de cabezas: Linear(características, num_heads * head_dim).",
        ),
        (
            "このアテンションは埋め込みを同じサイズのヘッドに分けます (embed_dim = num_heads * head_dim)。",
            "埋め込みのサイズがヘッド数の倍数ではありません。\n{embed} は {heads} ヘッドに分けられません。",
            "データの特徴数 (センサーや列の数など) をそのまま embed_dim にしています。その数はヘッド数で割り切れないこ"
            "とがよくあります。",
            "num_heads を embed_dim の約数から選びます: {near}。\nまたは先に Linear(特徴数, num_heads * head_dim) "
            "で、特徴をヘッド数の倍数のサイズに射影します。",
        ),
        sums=lambda field: {
            "near": ", ".join(map(str, divisors_near(int(field["embed"]), int(field["heads"]))))
            if field.get("embed")
            else "embed_dim % num_heads == 0"
        },
    ),
    Message(
        "attention-embedding",
        (
            r"was expecting embedding dimension of (?P<want>\d+), but got (?P<have>\d+)",
            r"(?P<what>the feature number of src and tgt must be equal to d_model)",
            r"query should be unbatched 2D or batched 3D tensor but received (?P<rank>\d)-D query tensor",
        ),
        (
            "Attention takes (seq, batch, embed_dim), (batch, seq, embed_dim) with batch_first=True, or (seq, "
            "embed_dim) for one sequence; the last axis of the query has size embed_dim (d_model).",
            "The last axis has size {have} instead of {want}.\nThe last axis of {src} does not have size d_model.\n"
            "The number of axes of the query is {rank}.",
            "The embedding or projection before the attention outputs a size different from embed_dim (d_model), the "
            "axes are transposed, or ids or raw values were passed instead of embeddings.",
            "Print the shapes of all inputs right before the call; if only the number of features differs, project "
            "them with Linear(features, embed_dim).",
        ),
        (
            "La atención toma (seq, lote, embed_dim), (lote, seq, embed_dim) con batch_first=True, o (seq, "
            "embed_dim) para una sola secuencia; el último eje de la consulta tiene tamaño embed_dim (d_model).",
            "El último eje tiene tamaño {have}, no {want}.\nEl último eje de {src} no tiene tamaño d_model.\nEl "
            "número de ejes de la consulta es {rank}.",
            "El embedding o la proyección anterior a la atención da un tamaño distinto de embed_dim (d_model), los "
            "ejes están traspuestos, o se pasaron ids o valores sin procesar en vez de embeddings.",
            "Imprime la forma de todas las entradas justo antes de la llamada; si solo difiere el número de "
            "características, proyéctalas con Linear(características, embed_dim).",
        ),
        (
            "アテンションの入力は (系列, バッチ, embed_dim)、batch_first=True なら (バッチ, 系列, embed_dim)、1 系列"
            "なら (系列, embed_dim) です。クエリの最後の軸のサイズが embed_dim (d_model) です。",
            "最後の軸のサイズは {want} ではなく {have} です。\n{src} の最後の軸のサイズが d_model と違います。\nクエ"
            "リは {rank} 次元です。",
            "アテンションの前の埋め込みや射影の出力サイズが embed_dim (d_model) と違うか、軸が転置されているか、埋め"
            "込む前の ID や値を渡しています。",
            "呼び出しの直前ですべての入力の形状を表示します。特徴数だけが違うなら、Linear(特徴数, embed_dim) で射影し"
            "ます。",
        ),
        sums=lambda field: {"src": "src / tgt" if field.get("what") else ""},
    ),
    Message(
        "attention-mask-grown",
        (
            r"Attention mask should be of size (?P<want>\([\d, ]+\)), but is (?:torch\.Size\()?(?P<have>[\[(][\d, "
            r"]+[\])])",
        ),
        (
            "Inside a Transformers model the attention mask is usually (batch, 1, queries, keys); the keys "
            "include the cached tokens.",
            "Expected: {want}; the mask has shape {have}.",
            "During generation, past_key_values grew, but the mask was not extended.\nThe inputs were truncated or "
            "padded, but the mask was not.\nThe model's code and the installed version of Transformers handle the "
            "cache differently.",
            "Let the tokenizer create input_ids and attention_mask together; if you write the generation loop "
            "yourself, append a 1 to the mask for every new token.",
        ),
        (
            "Dentro de un modelo de Transformers, la máscara de atención suele ser (lote, 1, consultas, claves); "
            "las claves incluyen los tokens en caché.",
            "Se espera {want}; la máscara tiene forma {have}.",
            "Al generar, past_key_values creció, pero la máscara no se alargó.\nSe recortaron o rellenaron las "
            "entradas, pero no la máscara.\nEl código del modelo y la versión instalada de Transformers tratan la "
            "caché de forma distinta.",
            "Deja que el tokenizador cree juntos input_ids y attention_mask; si escribes tú el bucle de generación, "
            "añade un 1 al final de la máscara por cada token nuevo.",
        ),
        (
            "Transformers のモデル内部では、アテンションマスクは普通 (バッチ, 1, クエリ, キー) です。キーにはキャ"
            "ッシュ済みのトークンも含まれます。",
            "必要なのは {want}、マスクの形状は {have} です。",
            "生成中に past_key_values が伸びたのに、マスクが伸びていません。\n入力だけを切り詰めたりパディングした"
            "りしています。\nモデルのコードと、インストール済みの Transformers とで、キャッシュの扱いが違います。",
            "input_ids と attention_mask はトークナイザに一緒に作らせます。生成ループを自分で書く場合は、新しいトーク"
            "ンごとにマスクの末尾へ 1 を追加します。",
        ),
    ),
    Message(
        "padding-mask",
        (
            r"Expected key_padded_mask\.shape\[(?P<axis>\d)\] to be (?P<want>\d+), but got (?P<have>\d+)",
            r"expecting key_padding_mask shape of (?P<wanted>\([\d, ]+\)), but got "
            r"(?:torch\.Size\()?(?P<shape>[\[(][\d, ]+[\])])",
            r"The shape of the (?P<kind>key_padding_mask) is torch\.Size\((?P<shape>\[[^\]]*\])\)[^\n]*",
        ),
        (
            "The padding mask has shape (batch, number of keys) with any batch_first, or (number of keys,) for one "
            "sequence; in a boolean mask, True means that the key is ignored.",
            "Axis {axis} of the mask should have size {want}, but has size {have}.\nThe mask has shape {shape}.\n"
            "Expected: {wanted}.",
            "The input is (seq, batch, dim), the default layout, and the mask is (seq, batch) too.\nThe input is "
            "(batch, seq, dim), but batch_first=True is missing.",
            "If the mask is (seq, batch), pass mask.t(); if the input is (batch, seq, dim), set batch_first=True.",
        ),
        (
            "La máscara de relleno tiene forma (lote, número de claves), sea cual sea batch_first, o (número de "
            "claves,) para una sola secuencia; en una máscara booleana, True significa que la clave se ignora.",
            "El eje {axis} de la máscara debería tener tamaño {want}, pero tiene {have}.\nLa máscara tiene forma "
            "{shape}.\nSe espera {wanted}.",
            "La entrada es (seq, lote, dim), el orden por defecto, y la máscara es también (seq, lote).\nLa entrada "
            "es (lote, seq, dim), pero falta batch_first=True.",
            "Si la máscara es (seq, lote), pasa mask.t(); si la entrada es (lote, seq, dim), indica batch_first=True.",
        ),
        (
            "パディングマスクの形状は、batch_first によらず (バッチ, キー数)、1 系列なら (キー数,) です。真偽値マスク"
            "の True は、そのキーを無視するという意味です。",
            "マスクの軸 {axis} のサイズは {want} のはずですが、{have} です。\nマスクの形状は {shape} です。\n"
            "必要なのは {wanted} です。",
            "入力が既定の (系列, バッチ, 特徴) で、マスクも同じく (系列, バッチ) で作られています。\n入力が"
            " (バッチ, 系列, 特徴) なのに batch_first=True がありません。",
            "マスクが (系列, バッチ) なら mask.t() を渡し、入力が (バッチ, 系列, 特徴) なら batch_first=True としま"
            "す。",
        ),
    ),
    Message(
        "attention-mask",
        (
            r"The shape of the (?P<rank>\d)D attn_mask is torch\.Size\((?P<have>\[[^\]]*\])\), but should be "
            r"(?P<want>\([^)]*\))",
            r"The size of the (?P<rank>\d)D attn_mask is not correct",
        ),
        (
            "attn_mask has shape (target length, source length) or (batch · heads, target length, source length); "
            "pass a padding mask as key_padding_mask.",
            "The mask has shape {have}; {want} is expected.",
            "The lengths differ: {same}.\nThe first axis covers the heads as well: {heads}.\nThe mask was made for a "
            "different length; or the input is (batch, seq, …) without batch_first=True, so the batch size is read "
            "as the length.",
            "Create the mask right before the call, from the length of its input (a causal mask: "
            "nn.Transformer.generate_square_subsequent_mask(length)), and check batch_first.",
        ),
        (
            "attn_mask tiene forma (longitud destino, longitud origen) o (lote · cabezas, longitud destino, longitud "
            "origen); una máscara de relleno se pasa como key_padding_mask.",
            "La máscara tiene forma {have}; se espera {want}.",
            "Difieren las longitudes: {same}.\nEl primer eje incluye también las cabezas: {heads}.\nLa máscara se "
            "hizo para otra longitud; o la entrada es (lote, seq, …) sin batch_first=True, y el tamaño del lote se "
            "lee como longitud.",
            "Crea la máscara justo antes de la llamada, con la longitud de la entrada (una máscara causal: "
            "nn.Transformer.generate_square_subsequent_mask(longitud)), y revisa batch_first.",
        ),
        (
            "attn_mask の形状は (ターゲット長, ソース長) か (バッチ · ヘッド, ターゲット長, ソース長) です。パディン"
            "グのマスクは key_padding_mask に渡します。",
            "マスクの形状は {have}、必要なのは {want} です。",
            "長さが違います: {same}。\n最初の軸はヘッドも含みます: {heads}。\nマスクが別の長さで作られています。また"
            "は、batch_first=True なしに (バッチ, 系列, …) の入力を渡したため、バッチサイズが長さとして読まれていま"
            "す。",
            "マスクは呼び出しの直前に、入力の長さに合わせて作ります (因果マスクなら "
            "nn.Transformer.generate_square_subsequent_mask(長さ))。batch_first も確かめます。",
        ),
        sums=_mask,
    ),
    Message(
        "transformer-batch",
        (r"the batch number of src and tgt must be equal",),
        (
            "In a Transformer, src and tgt need the same batch size; the batch is axis 1, or axis 0 with "
            "batch_first=True.",
            "The batch axes of src and tgt differ in size.",
            "The data are (batch, seq, d_model), but batch_first=True is missing, so the two lengths are compared "
            "instead of the batch sizes.\nSamples were removed from src or tgt only.",
            "Set batch_first=True, or call transpose(0, 1) on both src and tgt.\nTake src and tgt from the same "
            "samples.",
        ),
        (
            "En un Transformer, src y tgt necesitan el mismo tamaño de lote; el lote es el eje 1, o el 0 con "
            "batch_first=True.",
            "Los ejes de lote de src y tgt difieren en tamaño.",
            "Los datos son (lote, seq, d_model), pero falta batch_first=True, así que se comparan las dos longitudes "
            "en vez de los tamaños de lote.\nSe quitaron muestras solo de src o solo de tgt.",
            "Indica batch_first=True, o aplica transpose(0, 1) a src y a tgt.\nToma src y tgt de las mismas muestras.",
        ),
        (
            "Transformer の src と tgt のバッチサイズは同じでなければなりません。バッチは軸 1、batch_first=True なら"
            "軸 0 です。",
            "src と tgt のバッチの軸のサイズが違います。",
            "データが (バッチ, 系列, d_model) なのに batch_first=True がなく、バッチサイズではなく系列長どうしが比べ"
            "られています。\nsrc か tgt の片方だけからサンプルを除いています。",
            "batch_first=True とするか、src と tgt の両方に transpose(0, 1) をかけます。\nsrc と tgt は同じサンプルか"
            "ら取ります。",
        ),
    ),
)
