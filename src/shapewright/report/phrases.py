"""The fixed words of a page, in the three languages side by side."""

from __future__ import annotations

import functools

from .language import said

ORIGINS: dict[str, dict[str, str]] = {
    "annotation": {"en": "annotated as {note}", "es": "anotado como {note}", "ja": "注釈では {note}"},
    "argument": {"en": "passed by {note}", "es": "recibido de {note}", "ja": "{note} が渡す"},
    "assert": {"en": "asserted to be {note}", "es": "el assert dice {note}", "ja": "assert では {note}"},
    "call": {"en": "called from here", "es": "se llama desde aquí", "ja": "呼び出し元"},
    "comment": {"en": "the comment says {note}", "es": "el comentario dice {note}", "ja": "コメントでは {note}"},
    "condition": {"en": "depends on {note}", "es": "depende de {note}", "ja": "{note} によって決まる"},
    "constructor": {"en": "set by {note}", "es": "fijado por {note}", "ja": "{note} で決まる"},
    "dataset": {"en": "from the data: {note}", "es": "viene de los datos: {note}", "ja": "データ {note} から来る"},
    "definition": {"en": "defined by {note}", "es": "definido por {note}", "ja": "{note} で定義"},
    "docstring": {"en": "the docstring says {note}", "es": "el docstring dice {note}", "ja": "docstring では {note}"},
    "index": {
        "en": "result of indexing with {note}",
        "es": "resultado de indexar con {note}",
        "ja": "添字 {note} の結果",
    },
    "literal": {"en": "written as {note}", "es": "escrito como {note}", "ja": "{note} と書かれている"},
    "loader": {"en": "the batch of {note}", "es": "el lote de {note}", "ja": "{note} のバッチ"},
    "operator": {"en": "made by {note}", "es": "producido por {note}", "ja": "{note} で作られる"},
    "padding": {"en": "padded by {note}", "es": "relleno añadido por {note}", "ja": "{note} によるパディング"},
    "parameter": {
        "en": "the size of the parameter {note}",
        "es": "el tamaño del parámetro {note}",
        "ja": "パラメータ {note} のサイズ",
    },
    "pattern": {"en": "the pattern says {note}", "es": "el patrón dice {note}", "ja": "パターンでは {note}"},
    "unknown": {"en": "{note}", "es": "{note}", "ja": "{note}"},
    "unpacked": {"en": "unpacked as {note}", "es": "se desempaqueta como {note}", "ja": "{note} として展開"},
}

WORDS: dict[str, dict[str, str]] = {
    "why": {"en": "why", "es": "por qué", "ja": "理由"},
    "from": {"en": "from", "es": "origen", "ja": "由来"},
    "help": {"en": "help", "es": "ayuda", "ja": "対処"},
    "not": {
        "en": "rejected: {title}: {reason}",
        "es": "descartado: {title}: {reason}",
        "ja": "却下: {title}: {reason}",
    },
    "line": {"en": "line {line}", "es": "línea {line}", "ja": "{line} 行目"},
    "cell": {"en": "cell {cell}, line {line}", "es": "celda {cell}, línea {line}", "ja": "セル {cell} の {line} 行目"},
    "verified": {
        "en": "verified at batch sizes {sizes}",
        "es": "verificado con los tamaños de lote {sizes}",
        "ja": "バッチサイズ {sizes} で確認済み",
    },
    "verified_one": {
        "en": "verified at batch size {sizes}",
        "es": "verificado con tamaño de lote {sizes}",
        "ja": "バッチサイズ {sizes} で確認済み",
    },
    "verified_run": {"en": "verified by a run", "es": "verificado con una ejecución", "ja": "実行して確認済み"},
    "unsafe": {
        "en": "unsafe, not written without --unsafe: {doubt}",
        "es": "reparación no segura, no se escribe sin --unsafe: {doubt}",
        "ja": "安全ではないため --unsafe なしでは書き込まれません: {doubt}",
    },
    "more": {
        "en": "more: shapewright rule {code}",
        "es": "más: shapewright rule {code}",
        "ja": "詳細: shapewright rule {code}",
    },
    "remark": {"en": "remark", "es": "nota", "ja": "補足"},
    "remarks": {
        "en": "{count} more remarks with --remarks",
        "es": "{count} notas más con --remarks",
        "ja": "ほかに {count} 件の補足 (--remarks で表示)",
    },
    "remarks_one": {
        "en": "1 more remark with --remarks",
        "es": "1 nota más con --remarks",
        "ja": "ほかに 1 件の補足 (--remarks で表示)",
    },
    "warning": {"en": "warning", "es": "aviso", "ja": "警告"},
    "assumed": {"en": "assumed", "es": "supuesto", "ja": "仮定"},
    "clean": {
        "en": "{script}: nothing found",
        "es": "{script}: no se encontró nada",
        "ja": "{script}: 問題は見つかりませんでした",
    },
    "one": {"en": "{script}: 1 finding", "es": "{script}: 1 hallazgo", "ja": "{script}: 指摘 1 件"},
    "many": {
        "en": "{script}: {count} findings",
        "es": "{script}: {count} hallazgos",
        "ja": "{script}: 指摘 {count} 件",
    },
    "seconds": {
        "en": "{seconds}\u00a0s, {engine} engine",
        "es": "{seconds}\u00a0s, motor {engine}",
        "ja": "{seconds}\u00a0秒、{engine} エンジン",
    },
    "complete": {
        "en": "the script ran to its end",
        "es": "el script llegó hasta el final",
        "ja": "スクリプトは最後まで実行されました",
    },
    "complete_untrained": {
        "en": "the script ran to its end and trained nothing",
        "es": "el script llegó hasta el final y no entrenó nada",
        "ja": "スクリプトは最後まで実行されましたが、学習は行われませんでした",
    },
    "stopped": {
        "en": "what runs after line {line} was not checked",
        "es": "lo que se ejecuta después de la línea {line} quedó sin comprobar",
        "ja": "{line} 行目より後に実行される部分は未検査です",
    },
    "stopped_elsewhere": {
        "en": "what runs after {place} was not checked",
        "es": "lo que se ejecuta después de {place} quedó sin comprobar",
        "ja": "{place} より後に実行される部分は未検査です",
    },
    "stopped_nowhere": {
        "en": "what runs after the fault was not checked",
        "es": "lo que se ejecuta después del fallo quedó sin comprobar",
        "ja": "指摘箇所より後に実行される部分は未検査です",
    },
    "incomplete": {
        "en": "could not check everything: {reason}",
        "es": "no se pudo comprobar todo: {reason}",
        "ja": "検査できなかった部分があります: {reason}",
    },
    "not_run": {"en": "not checked: {reason}", "es": "no se comprobó: {reason}", "ja": "検査していません: {reason}"},
    "unexplained": {"en": "no reason is known", "es": "sin motivo conocido", "ja": "原因は不明です"},
    "assumptions": {
        "en": "{count} assumptions were made",
        "es": "se hicieron {count} suposiciones",
        "ja": "{count} 件の仮定を置きました",
    },
    "baseline_saved": {
        "en": "{path}: known findings, which are no longer reported: {count}",
        "es": "{path}: hallazgos conocidos, que ya no se muestran: {count}",
        "ja": "{path}: これ以降は {count} 件を既知の指摘とし、報告しません",
    },
    "baseline_missing": {
        "en": "there is no baseline file {path}; --update-baseline creates it",
        "es": "no existe el archivo de referencia {path}; --update-baseline lo crea",
        "ja": "ベースライン {path} がありません。--update-baseline で作成できます",
    },
    "baseline_foreign": {
        "en": "{path} is not a baseline file of shapewright: {error}",
        "es": "{path} no es un archivo de referencia de shapewright: {error}",
        "ja": "{path} は shapewright のベースラインではありません: {error}",
    },
    "annotated_otherwise": {
        "en": "with the shapes written into it, {script} no longer runs as before; the file was left unchanged",
        "es": "con las formas escritas en él, {script} ya no se ejecuta como antes; el archivo se dejó sin cambios",
        "ja": "{script} は形状を書き込むと以前のように動かないため、変更しませんでした",
    },
    "notebook_help": {
        "en": """\
%%shapewright [--run]       check this cell with the cells already run, then run it; --run: also with findings
%shapewright notebook       check all cells that were run
%shapewright FILE [ARGS]    check a notebook or a script""",
        "es": """\
%%shapewright [--run]       comprueba esta celda con las ya ejecutadas y la ejecuta; --run: aunque haya hallazgos
%shapewright notebook       comprueba todas las celdas ejecutadas
%shapewright FILE [ARGS]    comprueba un cuaderno o un script""",
        "ja": """\
%%shapewright [--run]       実行済みのセルに続けてこのセルを検査してから実行 (--run: 指摘があっても実行)
%shapewright notebook       実行済みのセルをすべて検査
%shapewright FILE [ARGS]    ノートブックまたはスクリプトを検査""",
    },
    "assumptions_one": {"en": "1 assumption was made", "es": "se hizo 1 suposición", "ja": "1 件の仮定を置きました"},
}


phrase = functools.partial(said, WORDS)
"""The phrase `name` in `lang`, filled: `phrase("line", "es", line=3)`."""
