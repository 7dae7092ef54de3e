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
PICTURES = {  # name: script of examples/, color scheme, width of the view (0 is a terminal), language
    "silent": ("fit.py", "light", 800, "en"),
    "silent-es": ("fit.py", "light", 800, "es"),
    "silent-ja": ("fit.py", "light", 800, "ja"),
    "silent-terminal": ("fit.py", "dark", 0, "en"),
    "lstm": ("next_token.py", "light", 800, "en"),
}
SCRIPTS = ("fit.py", "next_token.py", "reward_model.py")
VIEWS = {
    f"{Path(script).stem}-{scheme}-{width or 'terminal'}": (script, scheme, width, "en")
    for script in SCRIPTS
    for scheme in ("light", "dark")
    for width in (0, 390, 1280)
}
GROUND = {"light": "#ffffff", "dark": "#0c0c0c"}


def main(argv: list[str]) -> None:
    """Check each script once in each language, then look at its pages in every view. A picture for the documentation
    ends with the finding; with `--all` it is the whole page."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    target = Path(next((word for word in argv if not word.startswith("-")), ROOT / "docs" / "pictures")).resolve()
    os.chdir(ROOT / "examples")
    views = VIEWS if "--all" in argv else PICTURES
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        opened = started.chromium.launch(executable_path=browser, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        for script, lang in sorted({(script, lang) for script, _, _, lang in views.values()}):
            trace, diagnosis = examine(script, repair=True, lang=lang)
            page = html.render([diagnosis], traces=[trace])
            Path(folder, f"{script}.{lang}.html").write_text(page, encoding="utf-8")
            said = terminal.render([diagnosis], width=COLUMNS, color=True)
            for scheme in GROUND:
                Path(folder, f"{script}.{scheme}.{lang}.html").write_text(
                    _terminal(said, script, scheme), encoding="utf-8"
                )
        for name, (script, scheme, width, lang) in views.items():
            page = opened.new_page(viewport={"width": width or 1100, "height": 900}, color_scheme=scheme)
            page.goto(Path(folder, f"{script}.{'' if width else f'{scheme}.'}{lang}.html").as_uri())
            if not width:
                page.locator("pre").screenshot(path=target / f"{name}.png")
            elif "--all" in argv:
                page.screenshot(path=target / f"{name}.png", full_page=True)
            else:
                end = page.locator(".fix").first.bounding_box()
                clip = {"x": 0, "y": 0, "width": width, "height": end["y"] + end["height"] + 16}
                page.screenshot(path=target / f"{name}.png", full_page=True, clip=clip)
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
