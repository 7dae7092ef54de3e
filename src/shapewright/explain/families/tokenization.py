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
            "one too (config.pad_token_id) when a batch holds more than one text.",
            "No padding token is set; GPT-2, for example, has none of its own.",
            "padding=True is used with a tokenizer of the GPT-2 family, or a sequence classifier on top of a "
            "model of that family gets more than one text.",
            "Set tokenizer.pad_token = tokenizer.eos_token and model.config.pad_token_id = tokenizer.pad_token_id.\n"
            "With pad = eos, the ids do not tell the end of a text from padding: use the attention mask. With right "
            "padding take the last real token, not [:, -1].",
        ),
        (
            "El tokenizador necesita un token de relleno para rellenar textos a una misma longitud. Un clasificador "
            "de la familia GPT-2 también necesita uno (config.pad_token_id) cuando un lote tiene más de un texto.",
            "No hay token de relleno; GPT-2, por ejemplo, no trae ninguno.",
            "Se usa padding=True con un tokenizador de la familia GPT-2, o un clasificador sobre un modelo de "
            "esa familia recibe más de un texto.",
            "Pon tokenizer.pad_token = tokenizer.eos_token y model.config.pad_token_id = tokenizer.pad_token_id.\nCon "
            "pad = eos, los ids no distinguen el final de un texto del relleno: usa la máscara de atención. Con "
            "relleno a la derecha toma el último token real, no [:, -1].",
        ),
        (
            "テキストの長さを揃えるには、トークナイザに pad トークンが必要です。GPT-2 系の分類モデルでも、バッチに 2 "
            "つ以上のテキストがあるときは pad トークン (config.pad_token_id) が必要です。",
            "pad トークンが設定されていません。たとえば GPT-2 には最初からありません。",
            "GPT-2 系のトークナイザで padding=True としたか、GPT-2 系の分類モデルに複数のテキストを渡しています。",
            "tokenizer.pad_token = tokenizer.eos_token と model.config.pad_token_id = tokenizer.pad_token_id を設定し"
            "ます。\npad = eos だと ID では文末とパディングを区別できないため、attention mask を使います。右パディン"
            "グなら [:, -1] ではなく最後の実トークンを取ります。",
        ),
    ),
    Message(
        "batch-not-padded",
        (
            r"Unable to (?:create|convert output[^.\n]*? to) tensor,? ?(?:you should probably activate truncation "
            r"and/or padding)?[^\n]*",
        ),
        (
            "All texts of a batch must have the same length to become a tensor.",
            "The texts' token lists differ in length, or a list is nested too deeply.",
            "padding=True (and truncation=True) is missing in the tokenizer's call, or a column of the data set "
            "(labels, ids) is a list that no collator pads.",
            'Use tokenizer(texts, padding=True, truncation=True, return_tensors="pt"); in a Trainer use '
            "DataCollatorWithPadding, or DataCollatorForSeq2Seq where labels are sequences.",
        ),
        (
            "Todos los textos de un lote deben medir lo mismo para ser un tensor.",
            "Las listas de tokens de los textos tienen longitudes distintas, o hay una lista demasiado anidada.",
            "Falta padding=True (y truncation=True) al llamar al tokenizador, o una columna (labels, ids) es una lista "
            "que ningún collator rellena.",
            'Usa tokenizer(textos, padding=True, truncation=True, return_tensors="pt"); en un Trainer usa '
            "DataCollatorWithPadding, o DataCollatorForSeq2Seq si las etiquetas son secuencias.",
        ),
        (
            "テンソルにするには、バッチ内のテキストの長さが揃っていなければなりません。",
            "テキストごとにトークン列の長さが違うか、リストの入れ子が深すぎます。",
            "トークナイザの呼び出しに padding=True (と truncation=True) がないか、どの collator "
            "もパディングしないリストの列 (labels など) があります。",
            'tokenizer(texts, padding=True, truncation=True, return_tensors="pt") とします。Trainer なら '
            "DataCollatorWithPadding、ラベルが系列なら DataCollatorForSeq2Seq です。",
        ),
    ),
    Message(
        "text-too-long",
        (
            r"Token indices sequence length is longer than the specified maximum sequence length for this model "
            r"\((?P<have>\d+) > (?P<want>\d+)\)",
        ),
        (
            "The tokenizer's model_max_length says how many tokens the model is made for; a model with learned "
            "positions has a table of limited length.",
            "The text has {have} tokens, but the limit is {want}.",
            "Truncation is off. This message is only a warning; a model with learned positions then "
            "usually fails with an index out of range.",
            "Use truncation=True, max_length={want}, or split the text into windows.",
        ),
        (
            "El model_max_length del tokenizador dice para cuántos tokens está hecho el modelo; un modelo con "
            "posiciones aprendidas tiene una tabla de longitud limitada.",
            "El texto tiene {have} tokens, pero el límite es {want}.",
            "El truncado está desactivado. Este mensaje es solo un aviso; después, un modelo con "
            "posiciones aprendidas suele fallar con un índice fuera de rango.",
            "Usa truncation=True, max_length={want}, o divide el texto en ventanas.",
        ),
        (
            "トークナイザの model_max_length は、モデルが想定するトークン数の上限です。学習型の位置埋め込みを持つモデ"
            "ルでは、その表の長さが限られています。",
            "テキストは {have} トークン、上限は {want} です。",
            "切り詰め (truncation) が無効です。ここでは警告だけですが、学習型の位置埋め込みを持つモデルの多くは、この"
            "後で添字が範囲外になりエラーを出します。",
            "truncation=True, max_length={want} とするか、テキストを窓に分けます。",
        ),
    ),
)
