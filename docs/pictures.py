"""Makes the pictures of the documentation from real runs: `make pictures`. It needs Playwright and Chromium."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
PICTURES = {  # name: script of examples/, color scheme, width and height of the view
    "silent": ("fit.py", "light", 1100, 900),
    "silent-dark": ("fit.py", "dark", 1100, 900),
    "silent-phone": ("fit.py", "light", 390, 844),
    "lstm": ("next_token.py", "light", 1100, 800),
    "reward": ("reward_model.py", "light", 1100, 1000),
}


def main() -> None:
    """Check each script once, then look at its page in every view."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        opened = started.chromium.launch(executable_path=browser, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        for script in {script for script, *_ in PICTURES.values()}:
            command = [sys.executable, "-m", "shapewright", "check", "--format", "html", "--lang", "en", script]
            made = subprocess.run(command, cwd=ROOT / "examples", capture_output=True, text=True, check=False)
            Path(folder, script).with_suffix(".html").write_text(made.stdout, encoding="utf-8")
        for name, (script, scheme, width, height) in PICTURES.items():
            page = opened.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(Path(folder, script).with_suffix(".html").as_uri())
            page.screenshot(path=ROOT / "docs" / "pictures" / f"{name}.png")
        opened.close()


if __name__ == "__main__":
    main()
