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
            "This attention splits the embedding into equal heads: embed_dim = num_heads * head_dim.",
            "The embedding size is not a multiple of the number of heads.\n{embed} cannot be split into {heads} heads.",
            "embed_dim was set to the number of features in the data (of sensors or columns, for example), which is "
            "often not divisible by the number of heads.",
            "Choose num_heads among the divisors of embed_dim: {near}.\nOr first map the features to a multiple of "
            "the number of heads: Linear(features, num_heads * head_dim).",
        ),
        (
            "Esta atención divide el embedding en cabezas iguales: embed_dim = num_heads * head_dim.",
            "El tamaño del embedding no es múltiplo del número de cabezas.\n{embed} no se puede repartir entre "
            "{heads} cabezas.",
            "embed_dim se fijó en el número de características de los datos (de sensores o columnas, por ejemplo), "
            "que a menudo no es divisible entre el número de cabezas.",
            "Elige num_heads entre los divisores de embed_dim: {near}.\nO lleva antes las características a un "
            "múltiplo del número de cabezas: Linear(características, num_heads * head_dim).",
        ),
        (
            "このアテンションは埋め込みを同じサイズのヘッドに分けます (embed_dim = num_heads * head_dim)。",
            "埋め込みのサイズがヘッド数の倍数ではありません。\n{embed} は {heads} ヘッドに分けられません。",
            "データの特徴数 (センサーや列の数など) をそのまま embed_dim にしています。その数はヘッド数で割り切れないこ"
            "とがよくあります。",
            "num_heads を embed_dim の約数から選びます: {near}。\nまたは先に Linear(特徴数, num_heads * head_dim) "
            "でヘッド数の倍数に写します。",
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
            "embed_dim) for one sequence; the last axis of the query is embed_dim (d_model).",
            "The last axis has size {have} instead of {want}.\nThe last axis of {src} is not d_model.\nThe number of "
            "axes of the query is {rank}.",
            "The embedding or projection before the attention has a width other than embed_dim (d_model), the axes are "
            "transposed, or tgt holds raw values or ids instead of embeddings.",
            "Project with Linear(features, d_model), and print src.shape and tgt.shape right before the call.",
        ),
        (
            "La atención toma (seq, lote, embed_dim), (lote, seq, embed_dim) con batch_first=True, o (seq, "
            "embed_dim) para una sola secuencia; el último eje de la consulta es embed_dim (d_model).",
            "El último eje mide {have}, no {want}.\nEl último eje de {src} no es d_model.\nEl número de ejes de la "
            "consulta es {rank}.",
            "El embedding o la proyección anterior a la atención tiene una anchura distinta de embed_dim "
            "(d_model), los ejes están traspuestos, o tgt trae valores o ids en vez de embeddings.",
            "Proyecta con Linear(características, d_model), e imprime src.shape y tgt.shape justo antes de la llamada.",
        ),
        (
            "アテンションの入力は (系列, バッチ, embed_dim)、batch_first=True なら (バッチ, 系列, embed_dim)、1 系"
            "列なら (系列, embed_dim) です。クエリの最後の軸が embed_dim (d_model) です。",
            "最後の軸は {want} ではなく {have} です。\n{src} の最後の軸が d_model と違います。\nクエリは "
            "{rank} 次元です。",
            "手前の埋め込みや射影の幅が embed_dim (d_model) と違うか、軸が転置されているか、tgt に埋め込み前の値や "
            "ID を渡しています。",
            "Linear(特徴数, d_model) で射影し、呼び出しの直前で src.shape と tgt.shape を表示します。",
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
            "While generating, past_key_values grew, but the mask was not extended.\nInputs were truncated or "
            "padded, but the mask was not.\nThe model's code and the installed version of Transformers handle the "
            "cache differently.",
            "Let the tokenizer make input_ids and attention_mask together; when generating by hand, append a 1 to the "
            "mask for every new token.",
        ),
        (
            "Dentro de un modelo de Transformers, la máscara de atención suele ser (lote, 1, consultas, claves); "
            "las claves incluyen los tokens en caché.",
            "Se espera {want}; la máscara tiene forma {have}.",
            "Al generar, past_key_values creció, pero la máscara no se alargó.\nSe recortaron o rellenaron las "
            "entradas, pero no la máscara.\nEl código del modelo y la versión instalada de Transformers tratan la "
            "caché de forma distinta.",
            "Deja que el tokenizador cree juntos input_ids y attention_mask; si generas a mano, añade un 1 al "
            "final de la máscara por cada token nuevo.",
        ),
        (
            "Transformers のモデル内部では、アテンションマスクは普通 (バッチ, 1, クエリ, キー) です。キーにはキャ"
            "ッシュ済みのトークンも含まれます。",
            "必要なのは {want}、マスクの形状は {have} です。",
            "生成中に past_key_values が伸びたのに、マスクが伸びていません。\n入力だけを切り詰めたりパディングした"
            "りしています。\nモデルのコードと、インストール済みの Transformers とで、キャッシュの扱いが違います。",
            "input_ids と attention_mask はトークナイザに一緒に作らせます。手で生成するなら、新しいトークンごとに"
            "、マスクの末尾へ 1 を追加します。",
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
            "The padding mask is (batch, number of keys) whatever batch_first is, or (number of keys,) for one "
            "sequence; in a boolean mask True means that this key is ignored.",
            "Axis {axis} of the mask should have size {want}, but has size {have}.\nThe mask has shape {shape}.\n"
            "Expected: {wanted}.",
            "The input is (seq, batch, dim), the default, and the mask was made in the same layout: (seq, "
            "batch).\nThe input is (batch, seq, dim) and batch_first=True is missing.",
            "Pass mask.t() in the first case, set batch_first=True in the second.",
        ),
        (
            "La máscara de relleno es (lote, número de claves) sea cual sea batch_first, o (número de claves,) "
            "para una sola secuencia; en una máscara booleana, True significa que esa clave se ignora.",
            "El eje {axis} de la máscara debería tener tamaño {want}, pero tiene {have}.\nLa máscara tiene forma "
            "{shape}.\nSe espera {wanted}.",
            "La entrada es (seq, lote, dim), el formato por defecto, y la máscara se hizo igual: (seq, "
            "lote).\nLa entrada es (lote, seq, dim) y falta batch_first=True.",
            "Pasa mask.t() en el primer caso; indica batch_first=True en el segundo.",
        ),
        (
            "パディングマスクは、batch_first によらず (バッチ, キー数)、1 系列なら (キー数,) です。真偽値マスクの "
            "True は「このキーを無視する」という意味です。",
            "マスクの軸 {axis} のサイズは {want} のはずですが、{have} です。\nマスクの形状は {shape} です。\n"
            "必要なのは {wanted} です。",
            "入力が既定の (系列, バッチ, 特徴) で、マスクも同じく (系列, バッチ) で作られています。\n入力が"
            " (バッチ, 系列, 特徴) なのに batch_first=True がありません。",
            "前者なら mask.t() を渡し、後者なら batch_first=True とします。",
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
            "attn_mask is (target length, source length), or (batch · heads, target length, source length); a "
            "padding mask belongs in key_padding_mask.",
            "The mask has shape {have}; {want} is expected.",
            "The lengths differ: {same}.\nThe first axis covers the heads as well: {heads}.\nThe mask was made for a "
            "different length, or the axes are (batch, seq) where (seq, batch) is expected, so that the batch is "
            "taken for the length.",
            "Create the mask from the input on this line (a causal one with "
            "nn.Transformer.generate_square_subsequent_mask(length)); check batch_first.",
        ),
        (
            "attn_mask es (longitud destino, longitud origen), o (lote · cabezas, longitud destino, longitud "
            "origen); una máscara de relleno va en key_padding_mask.",
            "La máscara tiene forma {have}; se espera {want}.",
            "Difieren las longitudes: {same}.\nEl primer eje incluye también las cabezas: {heads}.\nLa máscara se "
            "hizo para otra longitud, o los ejes son (lote, seq) donde se espera (seq, lote), y el lote se toma por "
            "la longitud.",
            "Crea la máscara a partir de la entrada en esta línea (una causal, con "
            "nn.Transformer.generate_square_subsequent_mask(longitud)); revisa batch_first.",
        ),
        (
            "attn_mask は (ターゲット長, ソース長) か (バッチ · ヘッド, ターゲット長, ソース長) です。パディングの"
            "マスクは key_padding_mask に渡します。",
            "マスクの形状は {have}、必要なのは {want} です。",
            "長さが違います: {same}。\n最初の軸はヘッドも含みます: {heads}。\n"
            "別の長さで作られたマスクか、(系列, バッチ) と読まれるところに (バッチ, 系列) を渡し、"
            "バッチを長さとみなしています。",
            "マスクは、アテンションを呼ぶ箇所で、その入力から作ります (因果マスクなら "
            "nn.Transformer.generate_square_subsequent_mask(長さ))。batch_first も確かめます。",
        ),
        sums=_mask,
    ),
    Message(
        "transformer-batch",
        (r"the batch number of src and tgt must be equal",),
        (
            "src and tgt of a Transformer share the batch axis: axis 1, or axis 0 with batch_first=True.",
            "The batch axes of src and tgt differ in size.",
            "The data are (batch, seq, d_model), batch_first=True is missing, and the two lengths are compared "
            "instead.\nThe last batch was cut on one side only.",
            "Set batch_first=True, or transpose src and tgt with transpose(0, 1).\nIf the last batch was "
            "cut, cut src and tgt alike.",
        ),
        (
            "src y tgt de un Transformer comparten el eje de lote: el 1, o el 0 con batch_first=True.",
            "Los ejes de lote de src y tgt difieren en tamaño.",
            "Los datos son (lote, seq, d_model), falta batch_first=True, y se comparan las dos longitudes.\nEl último "
            "lote se recortó solo en un lado.",
            "Indica batch_first=True, o traspón src y tgt con transpose(0, 1).\nSi se recortó el último "
            "lote, recorta igual src y tgt.",
        ),
        (
            "Transformer の src と tgt はバッチの軸 (軸 1、batch_first=True なら軸 0) を共有します。",
            "src と tgt のバッチの軸のサイズが違います。",
            "データが (バッチ, 系列, d_model) なのに batch_first=True がなく、系列長どうしを比べています。"
            "\n最後のバッチを片方だけ切っています。",
            "batch_first=True とするか、src と tgt の両方に transpose(0, 1) をかけます。\n最後のバッチを切"
            "るなら、src と tgt を同じように切ります。",
        ),
    ),
)
