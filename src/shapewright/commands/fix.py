"""`shapewright fix`: prints a patch of edits that were run, or writes it.

Exit codes: 0 everything found was repaired (or nothing was found), 1 something is left, 2 cannot check or cannot write.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from ..checking import examine
from ..chosen import chosen_settings
from ..diagnosis.model import Diagnosis
from ..repair.all import read_text, repair_rounds
from ..repair.patch import Changed, diff, of_project, write
from ..repair.search import Budget
from ..run.process.supervisor import Resident
from ..settings import parse_memory
from .check import rules_named
from .options import BYTES, CONFIG, FILE, LANGUAGE, PLAIN, RULES, SECONDS

WORDS = {
    "nothing": {
        "en": "{script}: nothing was found that needs a repair",
        "es": "{script}: no se encontró nada que reparar",
        "ja": "{script}: 直すべきものは見つかりませんでした",
    },
    "left": {
        "en": "{script}: findings without a safe repair: {count}",
        "es": "{script}: hallazgos sin una reparación segura: {count}",
        "ja": "{script}: 安全な修正のない指摘: {count} 件",
    },
    "unchecked": {
        "en": "{script}: cannot be checked: {reason}",
        "es": "{script}: no se puede comprobar: {reason}",
        "ja": "{script}: 検査できません: {reason}",
    },
    "unwritten": {
        "en": "nothing was written; --write applies this patch",
        "es": "no se escribió nada; --write aplica este parche",
        "ja": "まだ何も書き込んでいません。--write で適用します",
    },
    "written": {"en": "{file}: written", "es": "{file}: escrito", "ja": "{file}: 書き込みました"},
    "changed": {
        "en": "{file}: not written, because the file changed after the check",
        "es": "{file}: no se escribió, porque el archivo cambió después de la comprobación",
        "ja": "{file}: 検査の後でファイルが変わったため、書き込みませんでした",
    },
    "read-only": {
        "en": "{file}: not written, because the file or its folder is read-only",
        "es": "{file}: no se escribió, porque el archivo o su carpeta es de solo lectura",
        "ja": "{file}: ファイルまたはフォルダが読み取り専用のため、書き込みませんでした",
    },
    "missing": {
        "en": "{file}: not written, because the file no longer exists",
        "es": "{file}: no se escribió, porque el archivo ya no existe",
        "ja": "{file}: ファイルがないため、書き込みませんでした",
    },
    "outside": {
        "en": "{file}: not written, because the file is outside the script's project",
        "es": "{file}: no se escribió, porque el archivo está fuera del proyecto del script",
        "ja": "{file}: スクリプトのプロジェクトの外にあるため、書き込みませんでした",
    },
    "ask": {
        "en": "Write these changes? [y/N] ",
        "es": "¿Escribir estos cambios? [s/N] ",
        "ja": "この変更を書き込みますか? [y/N] ",
    },
    "notebook": {
        "en": "{script}: notebooks are only checked; shapewright does not edit them",
        "es": "{script}: los cuadernos solo se comprueban; shapewright no los edita",
        "ja": "{script}: ノートブックは検査だけを行い、編集はしません",
    },
}


@dataclass
class FixCommand:
    """Repair what check finds. Each edit is verified by running it, also at batch size 1 if a DataLoader makes the
    batches.

    Prints a unified diff. Arguments after -- go to the script. Exit codes: 0 all repaired, 1 something is left, 2
    cannot check or write."""

    script: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="SCRIPT", help_behavior_hint="")]
    """The script."""
    write: Annotated[bool, PLAIN] = False
    """Write the repaired files atomically; a file that was changed in the meantime is not overwritten."""
    all: Annotated[bool, PLAIN] = False
    """Repair all findings one after the other; without this option, only the first one is repaired."""
    interactive: Annotated[bool, PLAIN] = False
    """Show the patch and ask before writing."""
    unsafe: Annotated[bool, PLAIN] = False
    """Also write repairs that run but may not be what is intended."""
    lang: Annotated[str, LANGUAGE] = ""
    """en, es or ja; by default the locale's."""
    timeout: Annotated[float | None, SECONDS] = None
    """Seconds that one run may take; 60 by default."""
    memory: Annotated[str | None, BYTES] = None
    """Memory that one run may allocate, for example 4G; 8G by default."""
    python: Annotated[str, FILE] = ""
    """The Python that has the script's libraries, or its virtual environment; by default the active one or ./.venv."""
    select: Annotated[str | None, RULES] = None
    """Only these rules: codes, beginnings of codes, or slugs, separated by commas."""
    ignore: Annotated[str | None, RULES] = None
    """Leave out these rules."""


def main(argv: Sequence[str], resident: Resident | None = None) -> int:
    """Run the command; returns the exit code."""
    argv = list(argv)
    cut = argv.index("--") if "--" in argv else len(argv)
    options = tyro.cli(FixCommand, prog="shapewright fix", args=argv[:cut], config=CONFIG)
    chosen = {
        "timeout": options.timeout,
        "memory": parse_memory(options.memory) if options.memory else None,
        "lang": options.lang or None,
        "select": rules_named(options.select),
        "ignore": rules_named(options.ignore),
    }
    if resident is not None:
        return _fix(options, tuple(argv[cut + 1 :]), chosen, resident)
    with Resident() as own:
        return _fix(options, tuple(argv[cut + 1 :]), chosen, own)


def _fix(options: FixCommand, argv: tuple[str, ...], chosen: dict, resident: Resident) -> int:
    lang = chosen_settings(options.script, **chosen).lang
    trace, diagnosis = examine(options.script, argv, resident=resident, repair=False, **chosen)
    if not diagnosis.findings:
        return _nothing(diagnosis, options.script, lang)
    if options.script.endswith(".ipynb"):
        _say("notebook", lang, script=options.script)
        return 1
    texts, _, left = repair_rounds(
        options.script,
        resident,
        argv,
        every=options.all,
        unsafe=options.unsafe,
        budget=Budget(60, 60.0),
        begun=(trace, diagnosis),
        **chosen,
    )
    before = {file: text for file, text in trace.sources.items() if file in texts}
    for file in texts:
        before.setdefault(file, read_text(file))
    sys.stdout.write(diff(before, texts))
    sys.stdout.flush()
    if texts and (options.write or options.interactive):
        problem = _write(options, before, texts, lang)
        if problem:
            return problem
    elif texts:
        _say("unwritten", lang)
    if left:
        _say("left", lang, script=options.script, count=left)
    return 1 if left or not texts else 0


def _nothing(diagnosis: Diagnosis, script: str, lang: str) -> int:
    if diagnosis.outcome == "complete":
        _say("nothing", lang, script=script)
        return 0
    _say("unchecked", lang, script=script, reason=diagnosis.reason)
    return 2


def _write(options: FixCommand, before: dict[str, str], texts: dict[str, str], lang: str) -> int:
    """Write every file, or none that must not be written; the exit code of a refusal, else 0."""
    if options.interactive and not options.write:
        sys.stderr.write(WORDS["ask"][lang])
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower()[:1] not in ("y", "s"):
            return 1
    outside = next((file for file in texts if not of_project(file, options.script)), None)
    if outside is not None:
        _say("outside", lang, file=outside)
        return 2
    try:
        write({file: (before[file], text) for file, text in texts.items()})
    except Changed as refused:
        _say(refused.reason, lang, file=refused.file)
        return 2
    for file in texts:
        _say("written", lang, file=file)
    return 0


def _say(key: str, lang: str, **fields: object) -> None:
    print(WORDS[key][lang].format(**fields), file=sys.stderr)
