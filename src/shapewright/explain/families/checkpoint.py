"""Loading a state dict into a model."""

from ..arithmetic import numbers
from ..model import Message


def _size(field: dict[str, str]) -> dict[str, object]:
    saved, model = numbers(field["saved"]), numbers(field["model"])
    pairs = [f"{one} → {other}" for one, other in zip(saved, model) if one != other]
    return {"differs": ", ".join(pairs)}


MESSAGES = (
    Message(
        "checkpoint-size",
        (
            r"size mismatch for (?P<name>[\w.]+): copying a param with shape "
            r"(?:torch\.Size\()?(?P<saved>\[[^\]]*\])\)? from checkpoint, "
            r"the shape in current model is (?:torch\.Size\()?(?P<model>\[[^\]]*\])",
        ),
        (
            "load_state_dict copies each tensor into the one of the same name; their shapes must be equal.",
            "{name} has shape {saved} in the file and {model} in the model.",
            "The shapes differ: {differs}. In the last layer this usually means a different number of classes; in "
            "an embedding, a different vocabulary; in a position table, a different length.\nstrict=False does not "
            "help: it allows missing and unexpected names, not different shapes.",
            "Build the model with the sizes stored in the file; or drop this tensor from the state dict, load the "
            "rest with strict=False, and train the new part.\nTransformers: from_pretrained(..., "
            "ignore_mismatched_sizes=True).",
        ),
        (
            "load_state_dict copia cada tensor en el del mismo nombre; sus formas deben ser iguales.",
            "{name} tiene forma {saved} en el archivo y {model} en el modelo.",
            "Las formas difieren: {differs}. En la última capa suele significar otro número de clases; en un "
            "embedding, otro vocabulario; en una tabla de posiciones, otra longitud.\nstrict=False no ayuda: "
            "permite nombres ausentes o sobrantes, no formas distintas.",
            "Construye el modelo con los tamaños guardados en el archivo; o quita ese tensor del state dict, carga el "
            "resto con strict=False y entrena la parte nueva.\nTransformers: from_pretrained(..., "
            "ignore_mismatched_sizes=True).",
        ),
        (
            "load_state_dict は、各テンソルの値を同じ名前のテンソルにコピーします。形状は一致している必要があります。",
            "{name} の形状はファイルでは {saved}、モデルでは {model} です。",
            "形状の違い: {differs}。多くの場合、最後の層ならクラス数、埋め込みなら語彙、位置の表なら長さが違います。"
            "\nstrict=False では解決しません。許されるのは名前の過不足だけで、形状の違いは許されません。",
            "ファイルに保存されたサイズでモデルを作るか、そのテンソルを除いて残りを strict=False で読み込み、"
            "新しい部分を学習します。\nTransformers なら from_pretrained(..., ignore_mismatched_sizes=True) です。",
        ),
        sums=_size,
    ),
    Message(
        "checkpoint-keys",
        (
            r"Missing key\(s\) in state_dict: (?P<missing>\"[^\n]*?\")\. ?(?:\s*Unexpected key\(s\) in state_dict: "
            r"(?P<extra>\"[^\n]*?\")\.)?",
            r"Unexpected key\(s\) in state_dict: (?P<extra>\"[^\n]*?\")\.",
        ),
        (
            "Unless strict=False, the names in the file and in the model must agree.",
            "Missing: {missing}.\nUnexpected: {extra}.",
            "A layer was renamed; or the model was saved inside DataParallel (names begin with module.) or "
            "torch.compile (_orig_mod.); or the file holds a whole checkpoint, not the state dict.",
            'Rename the keys (key.removeprefix("module.")), load checkpoint["model"], or use strict=False if the '
            "missing part will be trained.",
        ),
        (
            "Salvo con strict=False, los nombres del archivo y del modelo deben coincidir.",
            "Faltan: {missing}.\nSobran: {extra}.",
            "Se renombró una capa; o el modelo se guardó dentro de DataParallel (nombres con module.) o "
            "torch.compile (_orig_mod.); o el archivo contiene un checkpoint entero y no el state dict.",
            'Renombra las claves (key.removeprefix("module.")), carga checkpoint["model"], o usa strict=False si lo '
            "que falta se va a entrenar.",
        ),
        (
            "strict=False でなければ、ファイルとモデルで名前が一致しなければなりません。",
            "足りない名前: {missing}。\n余分な名前: {extra}。",
            "層の名前が変わったか、DataParallel (module.) や torch.compile (_orig_mod.) の中で保存したか、ファイルが "
            "state dict ではなくチェックポイント全体です。",
            'key.removeprefix("module.") などで名前を直すか、checkpoint["model"] を読み込むか、'
            "足りない部分を学習し直すなら strict=False とします。",
        ),
    ),
)
