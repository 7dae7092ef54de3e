"""The HTML page in a real browser: an axis under the pointer tells its origin, the console stays free of errors."""

import os
import shutil
from pathlib import Path

import pytest

from shapewright.checking import examine
from shapewright.report import html

BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
SCRIPT = """\
import torch
from torch import nn

x = torch.randn(6, 5, 4)
turned = x.permute(0, 2, 1)
layer = nn.Linear(4, 3)
layer(turned)
"""


CONTRAST = """() => {  // the texts of which the color is too near to that of the ground, after WCAG 2.2
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (color.startsWith("rgb(")) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const low = [];
  for (const one of document.querySelectorAll("main *")) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !one.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${one.className || one.tagName}: ${ratio.toFixed(2)}`);
  }
  return low;
}"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "turned.py").write_text(SCRIPT)
    trace, diagnosis = examine(str(folder / "turned.py"), lang="en")
    assert [finding.code for finding in diagnosis.findings] == ["SW102"]
    (folder / "page.html").write_text(html.render([diagnosis], traces=[trace]), encoding="utf-8")
    return folder / "page.html"


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if BROWSER is None:
        pytest.skip("there is no Chromium on this machine: apt-get install chromium")
    with sync_api.sync_playwright() as started:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses its own sandbox to root
        opened = started.chromium.launch(executable_path=BROWSER, args=sandbox)
        yield opened
        opened.close()


@pytest.mark.parametrize("width,scheme", [(1280, "light"), (390, "dark")])
def test_an_axis_tells_its_origin_by_pointer_and_keyboard_and_every_text_has_contrast(
    browser, page_file, width, scheme
):
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    complaints, requests = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(page_file.as_uri())
    card, axis = page.locator("#card"), page.locator(".route .axis", has_text="5").first
    assert card.is_hidden()
    axis.hover()
    assert "line 4" in card.inner_text() and "torch.randn(6, 5, 4)" in card.inner_text()
    assert page.locator(".axis.on").count() >= 3 and page.locator(".row.near").inner_text().startswith("4")
    page.keyboard.press("Escape")
    assert card.is_hidden()
    page.mouse.move(0, 0)
    axis.focus()
    assert "axis 1 of (6, 5, 4)" in card.inner_text() and "axis 2 of (6, 4, 5)" in card.inner_text()
    page.keyboard.press("Enter")
    page.wait_for_function("location.href.endsWith('L4')")  # a busy machine follows the link later
    page.locator(".place a", has_text="shapewright rule SW102").click()
    assert page.locator("details.rule[open]").inner_text().count("nn.Linear") >= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert page.evaluate(CONTRAST) == []
    assert complaints == [] and {request.partition(":")[0] for request in requests} == {"file"}
    page.close()


def test_the_page_of_a_trace_names_no_other_host(page_file):
    text = Path(page_file).read_text(encoding="utf-8")
    assert "http" not in text and "src=" not in text and "@import" not in text
