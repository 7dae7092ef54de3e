"""Tokenizers and models of Transformers: padding, truncation, length."""

from ..model import Message

MESSAGES = (
    Message(
        "pad-token-missing",
        (
            r"Asking to pad but the tokenizer does not have a padding token[^\n]*",
            r"Cannot handle batch sizes > 1 if no padding token is defined",
        ),
        (
            "The tokenizer needs a padding token to pad texts to one length. A classifier of the GPT-2 family needs "
            "one too (config.pad_token_id) when a batch contains more than one text.",
            "No padding token is set; GPT-2, for example, comes without one.",
            "padding=True is used with a tokenizer of the GPT-2 family, or a sequence classifier on top of a "
            "model of that family gets more than one text.",
            "Set tokenizer.pad_token = tokenizer.eos_token and model.config.pad_token_id = tokenizer.pad_token_id.\n"
            "If the padding token is the eos token, ids alone do not show where a text ends: pass the attention "
            "mask. With right padding, the last real token is not at [:, -1].",
        ),
        (
            "El tokenizador necesita un token de relleno para rellenar textos a una misma longitud. Un clasificador "
            "de la familia GPT-2 también necesita uno (config.pad_token_id) cuando un lote tiene más de un texto.",
            "No hay token de relleno; GPT-2, por ejemplo, no trae ninguno.",
            "Se usa padding=True con un tokenizador de la familia GPT-2, o un clasificador sobre un modelo de "
            "esa familia recibe más de un texto.",
            "Pon tokenizer.pad_token = tokenizer.eos_token y model.config.pad_token_id = tokenizer.pad_token_id.\nSi "
            "el token de relleno es el token eos, los ids solos no muestran dónde acaba un texto: pasa la máscara de "
            "atención. Con relleno a la derecha, el último token real no está en [:, -1].",
        ),
        (
            "テキストの長さを揃えるには、トークナイザに pad トークンが必要です。GPT-2 系の分類モデルでも、バッチに 2 "
            "つ以上のテキストがあるときは pad トークン (config.pad_token_id) が必要です。",
            "pad トークンが設定されていません。たとえば GPT-2 には最初からありません。",
            "GPT-2 系のトークナイザで padding=True としたか、GPT-2 系の分類モデルに複数のテキストを渡しています。",
            "tokenizer.pad_token = tokenizer.eos_token と model.config.pad_token_id = tokenizer.pad_token_id を設定し"
            "ます。\npad トークンが eos トークンと同じだと、ID だけではテキストの終わりが分からないため、attention "
            "mask を渡します。右パディングでは、最後の実トークンは [:, -1] にはありません。",
        ),
    ),
    Message(
        "batch-not-padded",
        (
            r"Unable to (?:create|convert output[^.\n]*? to) tensor,? ?(?:you should probably activate truncation "
            r"and/or padding)?[^\n]*",
        ),
        (
            "To turn a batch into a tensor, all its texts must have the same length.",
            "The lists of token ids have different lengths, or a column is nested too deeply.",
            "The tokenizer was called without padding=True (and truncation=True), or a column of the data set, such "
            "as labels, contains lists that the data collator does not pad.",
            'Use tokenizer(texts, padding=True, truncation=True, return_tensors="pt"); with Trainer use '
            "DataCollatorWithPadding, or DataCollatorForSeq2Seq if the labels are sequences.",
        ),
        (
            "Para convertir un lote en un tensor, todos sus textos deben tener la misma longitud.",
            "Las listas de ids de tokens tienen longitudes distintas, o una columna está demasiado anidada.",
            "Se llamó al tokenizador sin padding=True (ni truncation=True), o una columna del conjunto de datos, "
            "como labels, contiene listas que el data collator no rellena.",
            'Usa tokenizer(textos, padding=True, truncation=True, return_tensors="pt"); con Trainer usa '
            "DataCollatorWithPadding, o DataCollatorForSeq2Seq si las etiquetas son secuencias.",
        ),
        (
            "テンソルにするには、バッチ内のテキストの長さが揃っていなければなりません。",
            "トークン ID のリストの長さが違うか、入れ子が深すぎる列があります。",
            "トークナイザを padding=True (と truncation=True) なしで呼んだか、data collator がパディングしないリスト"
            "の列 (labels など) がデータセットにあります。",
            'tokenizer(texts, padding=True, truncation=True, return_tensors="pt") とします。Trainer では '
            "DataCollatorWithPadding を、ラベルが系列なら DataCollatorForSeq2Seq を使います。",
        ),
    ),
    Message(
        "text-too-long",
        (
            r"Token indices sequence length is longer than the specified maximum sequence length for this model "
            r"\((?P<have>\d+) > (?P<want>\d+)\)",
        ),
        (
            "model_max_length of the tokenizer is the number of tokens that the model was made for; a model with "
            "learned positions cannot read more than its position table holds.",
            "The text has {have} tokens, but the limit is {want}.",
            "The text is not truncated. This message is only a warning, but a model with learned positions then "
            "usually fails with “index out of range”.",
            "Use truncation=True, max_length={want}, or split the text into chunks of at most {want} tokens.",
        ),
        (
            "El model_max_length del tokenizador es el número de tokens para el que se hizo el modelo; un modelo con "
            "posiciones aprendidas no puede leer más de los que caben en su tabla de posiciones.",
            "El texto tiene {have} tokens, pero el límite es {want}.",
            "El texto no se trunca. Este mensaje es solo un aviso, pero un modelo con posiciones aprendidas suele "
            "fallar después con «index out of range».",
            "Usa truncation=True, max_length={want}, o divide el texto en trozos de como mucho {want} tokens.",
        ),
        (
            "トークナイザの model_max_length は、モデルが想定するトークン数の上限です。学習型の位置埋め込みを持つモデ"
            "ルは、位置埋め込みの表より長い入力を読めません。",
            "テキストは {have} トークン、上限は {want} です。",
            "テキストが切り詰められていません。このメッセージは警告だけですが、学習型の位置埋め込みを持つモデルの多く"
            "は、この後「index out of range」のエラーになります。",
            "truncation=True, max_length={want} とするか、テキストを {want} トークン以下の部分に分けます。",
        ),
    ),
)
