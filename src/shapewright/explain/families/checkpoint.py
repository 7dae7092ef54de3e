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
            "load_state_dict copies each tensor of the file into the model's tensor of the same name; the two shapes "
            "must be equal.",
            "{name} has shape {saved} in the file and {model} in the model.",
            "The shapes differ: {differs}. In the last layer this usually means a different number of classes; in "
            "an embedding, a different vocabulary; in a position table, a different length.\nstrict=False does not "
            "help: it allows missing and unexpected names, not different shapes.",
            "Build the model with the sizes stored in the file; or drop this tensor from the state dict, load the "
            "rest with strict=False, and train the new part.\nTransformers: from_pretrained(..., "
            "ignore_mismatched_sizes=True).",
        ),
        (
            "load_state_dict copia cada tensor del archivo en el tensor del modelo con el mismo nombre; las dos "
            "formas deben ser iguales.",
            "{name} tiene forma {saved} en el archivo y {model} en el modelo.",
            "Las formas difieren: {differs}. En la última capa suele significar otro número de clases; en un "
            "embedding, otro vocabulario; en una tabla de posiciones, otra longitud.\nstrict=False no ayuda: "
            "permite nombres ausentes o sobrantes, no formas distintas.",
            "Construye el modelo con los tamaños guardados en el archivo; o quita este tensor del state dict, carga "
            "el resto con strict=False y entrena la parte nueva.\nTransformers: from_pretrained(..., "
            "ignore_mismatched_sizes=True).",
        ),
        (
            "load_state_dict は、ファイルの各テンソルの値を、モデルの同じ名前のテンソルにコピーします。両者の形状は一"
            "致していなければなりません。",
            "{name} の形状はファイルでは {saved}、モデルでは {model} です。",
            "形状の違い: {differs}。多くの場合、最後の層ならクラス数、埋め込みなら語彙、位置の表なら長さが違います。"
            "\nstrict=False では解決しません。許されるのは名前の過不足だけで、形状の違いは許されません。",
            "ファイルに保存されたサイズでモデルを作ります。または、このテンソルを state dict から除き、残りを "
            "strict=False で読み込んで、新しい部分を学習します。\nTransformers なら from_pretrained(..., "
            "ignore_mismatched_sizes=True) です。",
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
            "The names in the file and in the model must be the same, unless you pass strict=False.",
            "Names missing in the file: {missing}.\nNames that the model does not have: {extra}.",
            "A layer was renamed; the model was saved while wrapped in DataParallel or DDP (names begin with "
            "module.) or torch.compile (names begin with _orig_mod.); or the file is a whole checkpoint that "
            "contains the state dict under a key.",
            'Rename the keys, for example with key.removeprefix("module."); or take the state dict out of the '
            'checkpoint, for example checkpoint["model"]; or pass strict=False if you will train the missing part.',
        ),
        (
            "Los nombres del archivo y del modelo deben ser los mismos, salvo que pases strict=False.",
            "Nombres que faltan en el archivo: {missing}.\nNombres que el modelo no tiene: {extra}.",
            "Se renombró una capa; el modelo se guardó envuelto en DataParallel o DDP (los nombres empiezan por "
            "module.) o en torch.compile (empiezan por _orig_mod.); o el archivo es un checkpoint entero que "
            "contiene el state dict bajo una clave.",
            'Renombra las claves, por ejemplo con key.removeprefix("module."); o saca el state dict del checkpoint, '
            'por ejemplo checkpoint["model"]; o pasa strict=False si vas a entrenar la parte que falta.',
        ),
        (
            "strict=False を渡さないかぎり、ファイルとモデルの名前は一致しなければなりません。",
            "ファイルにない名前: {missing}。\nモデルにない名前: {extra}。",
            "層の名前が変わったか、DataParallel・DDP (名前の先頭に module. が付く) や torch.compile (先頭に "
            "_orig_mod. が付く) に包んだまま保存したか、ファイルが、state dict をキーの下に含むチェックポイント全体で"
            "す。",
            'key.removeprefix("module.") などで名前を直すか、checkpoint["model"] のように state dict を取り出して読み'
            "込みます。足りない部分をこれから学習するなら strict=False とします。",
        ),
    ),
)
