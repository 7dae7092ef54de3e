"""Makes the pictures of the documentation from real runs: `make pictures`, or `python docs/pictures.py FOLDER` to put
them elsewhere; with `--all`, every script in every view. It needs Playwright and Chromium."""

import io
import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, MONOKAI
from rich.text import Text

from shapewright.checking import examine
from shapewright.report import html, terminal

ROOT = Path(__file__).parent.parent
COLUMNS = 100
PICTURES = {  # name: script of examples/, color scheme, width and height of the view; a terminal has its text's
    "silent": ("fit.py", "light", 1100, 900),
    "silent-terminal": ("fit.py", "dark", 0, 0),
    "lstm": ("next_token.py", "light", 1100, 800),
}
SCRIPTS = ("fit.py", "next_token.py", "reward_model.py")
VIEWS = {
    f"{Path(script).stem}-{scheme}-{width or 'terminal'}": (script, scheme, width, 0)
    for script in SCRIPTS
    for scheme in ("light", "dark")
    for width in (0, 390, 1280)
}
GROUND = {"light": "#ffffff", "dark": "#0c0c0c"}


def main(argv: list[str]) -> None:
    """Check each script once, then look at its pages in every view; a height of 0 is the whole page."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    target = Path(next((word for word in argv if not word.startswith("-")), ROOT / "docs" / "pictures")).resolve()
    os.chdir(ROOT / "examples")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        opened = started.chromium.launch(executable_path=browser, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        for script in SCRIPTS if "--all" in argv else sorted({script for script, *_ in PICTURES.values()}):
            trace, diagnosis = examine(script, repair=True, lang="en")
            Path(folder, f"{script}.html").write_text(html.render([diagnosis], traces=[trace]), encoding="utf-8")
            said = terminal.render([diagnosis], width=COLUMNS, color=True)
            for scheme in GROUND:
                Path(folder, f"{script}.{scheme}.html").write_text(_terminal(said, script, scheme), encoding="utf-8")
        for name, (script, scheme, width, height) in (VIEWS if "--all" in argv else PICTURES).items():
            page = opened.new_page(viewport={"width": width or 1100, "height": height or 900}, color_scheme=scheme)
            page.goto(Path(folder, f"{script}.html" if width else f"{script}.{scheme}.html").as_uri())
            shown = page if width else page.locator("pre")
            shown.screenshot(path=target / f"{name}.png", **({"full_page": not height} if width else {}))
            page.close()
        opened.close()


def _terminal(said: str, script: str, scheme: str) -> str:
    """What a terminal shows, with the command above it, as a page."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text(f"$ shapewright check {script}"))
    console.print(Text.from_ansi(said), soft_wrap=True)
    style = f"background: {GROUND[scheme]}; display: inline-block; padding: 16px; margin: 0; font: 14px/1.35 monospace"
    page = f'<meta charset="utf-8"><pre style="{style}; color: {{foreground}}">{{code}}</pre>'
    theme = MONOKAI if scheme == "dark" else DEFAULT_TERMINAL_THEME
    return console.export_html(theme=theme, code_format=page, inline_styles=True)


if __name__ == "__main__":
    main(sys.argv[1:])
