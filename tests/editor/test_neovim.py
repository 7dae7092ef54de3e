"""Neovim itself, headless: opens a faulty script, hovers, applies the quick fix, saves, and shows nothing any more."""

import json
import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("pygls")

from .test_exchange import FAULTY

VISIT = """\
local patience, told = 240000, {}
local uri = vim.uri_from_fname(vim.fn.expand("%:p"))

local function asked(method, params)
  params.textDocument = { uri = uri }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, patience) or {}) do
    if answer.result and answer.result ~= vim.NIL then return answer.result end
  end
end

local client = vim.lsp.start_client({
  name = "shapewright",
  cmd = { vim.env.PYTHON, "-m", "shapewright", "lsp" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)
vim.wait(patience, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, item in ipairs(vim.diagnostic.get(0)) do
  table.insert(told, { line = item.lnum + 1, source = item.source, message = item.message })
end
local hover = asked("textDocument/hover", { position = { line = 21, character = 6 } })

local repair
vim.wait(patience, function()
  local here = { start = { line = 22, character = 0 }, ["end"] = { line = 22, character = 1 } }
  local actions = asked("textDocument/codeAction", { range = here, context = { diagnostics = {} } })
  for _, action in ipairs(actions or {}) do
    if action.isPreferred then repair = action end
  end
  return repair ~= nil
end, 200)
vim.lsp.util.apply_workspace_edit(repair.edit, vim.lsp.get_client_by_id(client).offset_encoding)
vim.cmd("write")
vim.wait(patience, function() return #vim.diagnostic.get(0) == 0 end, 50)

local seen = { told = told, hover = hover.contents.value, repair = repair.title, left = #vim.diagnostic.get(0) }
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.lsp.stop_client(client)
vim.cmd("quitall!")
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed (apt-get install neovim)")
def test_neovim_shows_explains_and_repairs_a_fault(tmp_path):
    script, visit, seen = tmp_path / "train.py", tmp_path / "visit.lua", tmp_path / "seen.json"
    script.write_text(FAULTY)
    visit.write_text(VISIT)
    environment = {**os.environ, "LANG": "en_US.UTF-8", "PYTHON": sys.executable, "SEEN": str(seen)}
    environment |= {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    command = ["nvim", "--headless", "-n", "-u", "NONE", "-c", f"luafile {visit}", "-c", "cquit", str(script)]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900)
    assert seen.exists(), ran.stderr
    shown = json.loads(seen.read_text())
    (told,) = shown["told"]
    assert told["source"] == "shapewright" and told["line"] == 23 and "(16, 1)" in told["message"]
    assert "**(batch=16, feature=1)**" in shown["hover"]
    assert shown["left"] == 0 and shown["repair"].startswith("use .squeeze(-1)")
    assert "(predicted.squeeze(-1) - targets)" in script.read_text()
