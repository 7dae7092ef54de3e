"""Why a run ended before its end, as sentences: one entry per reason, in alphabetical order, the same named fields in
every language."""

from __future__ import annotations

# nothing of the script was run
NOT_RUN = frozenset(["empty-folder", "missing-file", "no-torch", "not-a-notebook", "not-a-script", "not-utf8"])
NOT_RUN |= {"null-bytes", "syntax-error", "unknown-encoding", "unreadable-file"}
TEXTS: dict[str, dict[str, str]] = {
    "aborted": {
        "en": "the script aborted its own process on line {line}; what follows was not checked",
        "es": "el script abortó su propio proceso en la línea {line}; lo que sigue no se ha comprobado",
        "ja": "スクリプトが {line} 行目で自分のプロセスを異常終了させたため、それ以降は検査していません",
    },
    "accelerator-demanded": {
        "en": "the script uses {device} even though PyTorch reports that {device} is not available",
        "es": "el script usa {device} aunque PyTorch indica que {device} no está disponible",
        "ja": "PyTorch が {device} は使えないと報告しているのに、スクリプトは {device} を使います",
    },
    "arguments": {
        "en": (
            "the script expects different arguments, line {line}: {message} (pass them after --: shapewright check "
            "SCRIPT -- ARGS)"
        ),
        "es": (
            "el script espera otros argumentos, línea {line}: {message} (se pasan después de --: shapewright check "
            "SCRIPT -- ARGS)"
        ),
        "ja": (
            "{line} 行目: スクリプトに渡す引数が合っていません: {message} (-- の後に指定します: shapewright "
            "check SCRIPT -- ARGS)"
        ),
    },
    "crashed": {
        "en": "the process that ran the script ended unexpectedly: {detail}",
        "es": "el proceso que ejecutaba el script terminó de forma inesperada: {detail}",
        "ja": "スクリプトを実行していたプロセスが予期せず終了しました: {detail}",
    },
    "dry-unsupported": {
        "en": "line {line} uses an operation that cannot be checked on shapes alone: {message}",
        "es": "la línea {line} usa una operación que no se puede comprobar solo con formas: {message}",
        "ja": "{line} 行目の演算は形状だけでは検査できません: {message}",
    },
    "empty-data": {
        "en": (
            "line {line} lists {file}, which is not on this machine or is empty, so there is no data to train on; "
            "what needs the data was not checked. A few files of the right format there are usually enough for a "
            "check"
        ),
        "es": (
            "la línea {line} busca archivos en {file}, que no está en esta máquina o está vacío, así que no hay datos "
            "con los que entrenar; lo que necesita los datos no se ha comprobado. Para una comprobación suelen bastar "
            "unos pocos archivos del formato correcto en ese lugar"
        ),
        "ja": (
            "{line} 行目で一覧を取得する {file} がこのマシンに無いか空のため、学習に使うデータがありません。データを"
            "必要とする部分は検査していません。正しい形式のファイルを数個そこに置けば、たいてい検査できます"
        ),
    },
    "empty-folder": {
        "en": "the folder {file} contains no Python script",
        "es": "la carpeta {file} no contiene ningún script de Python",
        "ja": "フォルダ {file} に Python スクリプトがありません",
    },
    "exception": {
        "en": "the script failed with {type} on line {line}, an error that shapewright does not explain: {message}",
        "es": "el script falló con {type} en la línea {line}, un error que shapewright no explica: {message}",
        "ja": "スクリプトは {line} 行目の {type} で終了しました。shapewright が説明できないエラーです: {message}",
    },
    "exception-mute": {
        "en": "the script failed with {type} on line {line}, an error that shapewright does not explain",
        "es": "el script falló con {type} en la línea {line}, un error que shapewright no explica",
        "ja": "スクリプトは {line} 行目の {type} で終了しました。shapewright が説明できないエラーです",
    },
    "excerpt": {
        "en": (
            "this is an excerpt; missing: {names} (first used on line {line}). Add the missing definitions and check "
            "again"
        ),
        "es": (
            "esto es un fragmento; falta: {names} (se usa por primera vez en la línea {line}). Añade las "
            "definiciones que faltan y vuelve a comprobarlo"
        ),
        "ja": (
            "これは抜粋で、次の定義がありません: {names} (最初に使うのは {line} 行目)。無い定義を加えて再度検査してく"
            "ださい"
        ),
    },
    "exit": {
        "en": "the script exited with code {code}; what follows was not checked",
        "es": "el script terminó con el código de salida {code}; lo que sigue no se ha comprobado",
        "ja": "スクリプトが終了コード {code} で自ら終了したため、それ以降は検査していません",
    },
    "exit-message": {
        "en": "the script exited on line {line} with the message: {message}; what follows was not checked",
        "es": "el script terminó en la línea {line} con el mensaje: {message}; lo que sigue no se ha comprobado",
        "ja": "スクリプトが {line} 行目でメッセージ「{message}」を出して自ら終了したため、それ以降は検査していません",
    },
    "exited": {
        "en": "the script ended its process with os._exit({status}) on line {line}; what follows was not checked",
        "es": (
            "el script terminó su proceso con os._exit({status}) en la línea {line}; lo que sigue no se ha comprobado"
        ),
        "ja": "スクリプトが {line} 行目の os._exit({status}) で即座に終了したため、それ以降は検査していません",
    },
    "exited-unplaced": {
        "en": "the script's process ended with status {status}, on an unknown line; what follows was not checked",
        "es": (
            "el proceso del script terminó con el código {status}, en una línea desconocida; lo que sigue no "
            "se ha comprobado"
        ),
        "ja": "スクリプトのプロセスが終了コード {status} で終了しました (行は不明)。それ以降は検査していません",
    },
    "fault": {
        "en": "{type} on line {line}: {message}",
        "es": "{type} en la línea {line}: {message}",
        "ja": "{line} 行目で {type}: {message}",
    },
    "few-samples": {
        "en": "line {line} fails with batches of {new} samples and is too slow with {old}; the rest was not checked",
        "es": (
            "la línea {line} falla con lotes de {new} muestras y con {old} tarda demasiado; lo que sigue no se ha "
            "comprobado"
        ),
        "ja": (
            "{line} 行目はバッチが {new} サンプルだと失敗し、{old} サンプルだと時間がかかりすぎるため、それ以降は"
            "検査していません"
        ),
    },
    "interrupted": {
        "en": "the check was interrupted",
        "es": "la comprobación se interrumpió",
        "ja": "検査は中断されました",
    },
    "killed": {
        "en": "the script ended its own process with {signal} on line {line}; what follows was not checked",
        "es": "el script terminó su propio proceso con {signal} en la línea {line}; lo que sigue no se ha comprobado",
        "ja": "スクリプトが {line} 行目で {signal} により自分のプロセスを終了させたため、それ以降は検査していません",
    },
    "killed-unplaced": {
        "en": "the script's process was ended by {signal}, on an unknown line; what follows was not checked",
        "es": (
            "el proceso del script terminó por {signal}, en una línea desconocida; lo que sigue no se ha comprobado"
        ),
        "ja": "スクリプトのプロセスが {signal} で終了しました (行は不明)。それ以降は検査していません",
    },
    "memory": {
        "en": (
            "line {line} asked for more memory than the limit of {limit} allows; what follows was not checked "
            "(--memory raises the limit)"
        ),
        "es": (
            "la línea {line} pidió más memoria de la que permite el límite de {limit}; lo que sigue no se ha "
            "comprobado (--memory lo aumenta)"
        ),
        "ja": (
            "{line} 行目で上限 {limit} を超えるメモリが必要になったため、それ以降は検査していません (--memory "
            "で上限を変更できます)"
        ),
    },
    "memory-unplaced": {
        "en": (
            "the script needed more memory than the limit of {limit} allows; what follows was not checked (--memory "
            "raises the limit)"
        ),
        "es": (
            "el script necesitó más memoria de la que permite el límite de {limit}; lo que sigue no se ha comprobado "
            "(--memory lo aumenta)"
        ),
        "ja": (
            "スクリプトが上限 {limit} を超えるメモリを必要としたため、それ以降は検査していません (--memory "
            "で上限を変更できます)"
        ),
    },
    "missing-data": {
        "en": (
            "line {line} needs {file}, which is not on this machine; what follows was not checked. Put a file of the "
            "same format there, or pass a different path to the script: shapewright check SCRIPT -- ARGS"
        ),
        "es": (
            "la línea {line} necesita {file}, que no está en esta máquina; lo que sigue no se ha comprobado. Pon ahí "
            "un archivo del mismo formato, o pasa otra ruta al script: shapewright check SCRIPT -- ARGS"
        ),
        "ja": (
            "{line} 行目で必要な {file} がこのマシンに無いため、それ以降は検査していません。"
            "同じ形式のファイルをそこに置くか、別のパスをスクリプトの引数で渡してください: "
            "shapewright check SCRIPT -- ARGS"
        ),
    },
    "missing-environment": {
        "en": (
            "line {line} creates the environment {name}, which is not installed and whose observation and action "
            "spaces shapewright does not know; what follows was not checked. Install the package that provides the "
            "environment"
        ),
        "es": (
            "la línea {line} crea el entorno {name}, que no está instalado y cuyos espacios de observación y de "
            "acción shapewright no conoce; lo que sigue no se ha comprobado. Instala el paquete que contiene el "
            "entorno"
        ),
        "ja": (
            "{line} 行目で作る環境 {name} はインストールされておらず、その観測空間と行動空間も shapewright には分から"
            "ないため、それ以降は検査していません。環境を含むパッケージをインストールしてください"
        ),
    },
    "missing-file": {
        "en": "there is no file {file}",
        "es": "no existe el archivo {file}",
        "ja": "ファイル {file} がありません",
    },
    "missing-module": {
        "en": (
            "line {line} needs {module}, which is not installed here; what follows was not checked. Install it, or "
            "name a Python that has it: --python PATH"
        ),
        "es": (
            "la línea {line} necesita {module}, que no está instalado aquí; lo que sigue no se ha comprobado. "
            "Instálalo, o indica un Python que lo tenga: --python RUTA"
        ),
        "ja": (
            "スクリプトが {line} 行目で使う {module} はこの環境に入っていないため、それ以降は検査していません。"
            "インストールするか、入っている Python を --python PATH で指定してください"
        ),
    },
    "missing-part": {
        "en": (
            "line {line} needs {module}, which the installed version of {library} does not have; what follows was not "
            "checked. Use what this version offers instead, or name a Python with the version that the script was "
            "written for: --python PATH"
        ),
        "es": (
            "la línea {line} necesita {module}, que la versión instalada de {library} no tiene; lo que sigue no se ha "
            "comprobado. Usa lo que ofrece esta versión, o indica un Python con la versión para la que se escribió el "
            "script: --python RUTA"
        ),
        "ja": (
            "スクリプトが {line} 行目で使う {module} は、インストール済みの {library} のバージョンにはないため、"
            "それ以降は検査していません。このバージョンにある機能に置き換えるか、スクリプトが前提とするバージョンの"
            "入った Python を --python PATH で指定してください"
        ),
    },
    "misspelt": {
        "en": "line {line} defines {name}, which is not one of Python's special methods: rename it {present}",
        "es": "la línea {line} define {name}, que no es un método especial de Python: cámbiale el nombre a {present}",
        "ja": "{line} 行目の {name} は Python の特殊メソッドではありません。{present} に直してください",
    },
    "no-torch": {
        "en": "PyTorch cannot be imported by {python}: {detail}",
        "es": "{python} no puede importar PyTorch: {detail}",
        "ja": "{python} で PyTorch を読み込めません: {detail}",
    },
    "not-a-notebook": {
        "en": "{file} is not a readable notebook: {detail}",
        "es": "{file} no es un cuaderno legible: {detail}",
        "ja": "{file} はノートブックとして読み取れません: {detail}",
    },
    "not-a-script": {
        "en": "{file} is neither a Python script nor a notebook nor a folder",
        "es": "{file} no es un script de Python, ni un cuaderno, ni una carpeta",
        "ja": "{file} は Python スクリプトでもノートブックでもフォルダでもありません",
    },
    "not-utf8": {
        "en": "{file} is not {encoding} text (byte {byte} on line {line}), so Python cannot read it as source",
        "es": (
            "{file} no es texto {encoding} (byte {byte} en la línea {line}), así que Python no puede leerlo como código"
        ),
        "ja": (
            "{file} の {line} 行目のバイト {byte} が {encoding} として正しくないため、Python はこのファイルをソースと"
            "して読めません"
        ),
    },
    "nothing-computed": {
        "en": (
            "the script ran to its end without computing a tensor, so nothing was checked. Pass it the arguments with "
            "which it trains: shapewright check SCRIPT -- ARGS"
        ),
        "es": (
            "el script llegó a su fin sin calcular ningún tensor, así que no se ha comprobado nada. Pásale los "
            "argumentos con los que entrena: shapewright check SCRIPT -- ARGS"
        ),
        "ja": (
            "スクリプトはテンソルを一つも計算せずに終わったため、何も検査していません。"
            "学習を行う引数を渡してください: shapewright check SCRIPT -- ARGS"
        ),
    },
    "nothing-ran": {
        "en": (
            "{file} only defines classes and functions, so nothing was checked. Check the script that uses it, or add "
            "a line that calls the model with an input"
        ),
        "es": (
            "{file} solo define clases y funciones, así que no se comprobó nada. Comprueba el script que lo usa, o "
            "añade una línea que llame al modelo con una entrada"
        ),
        "ja": (
            "{file} はクラスと関数を定義するだけなので、何も検査していません。"
            "これを使うスクリプトを検査するか、入力を与えてモデルを呼び出す行を加えてください"
        ),
    },
    "nothing-there": {
        "en": "{file} contains nothing that runs, so nothing was checked",
        "es": "{file} no contiene nada que se ejecute, así que no se comprobó nada",
        "ja": "{file} には実行するコードが無いため、何も検査していません",
    },
    "null-bytes": {
        "en": "{file} contains a null byte on line {line}, so it is not Python source",
        "es": "{file} contiene un byte nulo en la línea {line}, así que no es código Python",
        "ja": "{file} の {line} 行目にヌルバイトがあるため、Python のソースではありません",
    },
    "outgrown": {
        "en": "running the script with values exceeds the limits (limit reached: {why})",
        "es": "ejecutar el script con valores, no solo con formas, supera los límites (límite alcanzado: {why})",
        "ja": "値を使ってスクリプトを実行すると制限を超えます (達した制限: {why})",
    },
    "refused": {
        "en": (
            "line {line} needs {action}, which a check does not allow, and the script cannot continue without it; "
            "what follows was not checked"
        ),
        "es": (
            "la línea {line} necesita {action}, que una comprobación no permite, y el script no puede continuar sin "
            "ello; lo que sigue no se ha comprobado"
        ),
        "ja": (
            "{line} 行目で必要な {action} は検査では許可されず、スクリプトを続行できないため、それ以降は検査していま"
            "せん"
        ),
    },
    "replaced": {
        "en": (
            "line {line} replaces the function {name} by what it returns, so it cannot be called again: give the "
            "result a different name"
        ),
        "es": (
            "la línea {line} sustituye la función {name} por lo que devuelve, así que no se puede volver a llamar; "
            "hay que dar otro nombre al resultado"
        ),
        "ja": (
            "{line} 行目で関数 {name} がその戻り値で置き換えられ、再び呼び出せません。結果には別の名前を付けてください"
        ),
    },
    "syntax-error": {
        "en": "{file} has a syntax error on line {line}: {message}",
        "es": "{file} tiene un error de sintaxis en la línea {line}: {message}",
        "ja": "{file} の {line} 行目に構文エラーがあります: {message}",
    },
    "timeout": {
        "en": (
            "the time limit of {seconds} s was reached on line {line}; what follows was not checked (--timeout "
            "raises the limit)"
        ),
        "es": (
            "el límite de tiempo de {seconds} s se alcanzó en la línea {line}; lo que sigue no se ha comprobado "
            "(--timeout lo aumenta)"
        ),
        "ja": "{line} 行目で制限時間 {seconds} 秒に達したため、それ以降は検査していません (--timeout で変更できます)",
    },
    "timeout-unplaced": {
        "en": (
            "the time limit of {seconds} s was reached, on an unknown line; what follows was not checked "
            "(--timeout raises the limit)"
        ),
        "es": (
            "el límite de tiempo de {seconds} s se alcanzó en una línea desconocida; lo que sigue no se ha comprobado "
            "(--timeout lo aumenta)"
        ),
        "ja": "制限時間 {seconds} 秒に達しました (行は不明)。それ以降は検査していません (--timeout で変更できます)",
    },
    "undefined": {
        "en": (
            "nothing defines {names}, which line {line} uses first; what follows was not checked. Define what is "
            "missing and check again"
        ),
        "es": (
            "nada define {names}, que se usa por primera vez en la línea {line}; lo que sigue no se ha comprobado. "
            "Define lo que falta y vuelve a comprobarlo"
        ),
        "ja": (
            "{line} 行目で最初に使う {names} がどこにも定義されていないため、それ以降は検査していません。"
            "足りない定義を加えて再度検査してください"
        ),
    },
    "unknown-encoding": {
        "en": "{file} declares an encoding that Python does not know: {encoding}",
        "es": "{file} declara una codificación que Python no conoce: {encoding}",
        "ja": "{file} が宣言する文字コード {encoding} を Python は扱えません",
    },
    "unreadable-file": {
        "en": "{file} cannot be read: {error}",
        "es": "no se puede leer {file}: {error}",
        "ja": "{file} を読めません: {error}",
    },
    "untried": {
        "en": "shapewright found no sizes and inputs with which to build and call {names}; this part was not checked",
        "es": "shapewright no encontró tamaños ni entradas con los que construir y llamar a {names}; esa parte no se "
        "comprobó",
        "ja": "{names} を作成して呼び出せるサイズと入力が見つからなかったため、その部分は検査していません",
    },
}
