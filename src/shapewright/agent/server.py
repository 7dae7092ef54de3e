"""The MCP server: names, describes and types the tools; their work is in `tools`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, ParamSpec, TypeVar

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from .. import __version__
from .answers import CheckAnswer, FixAnswer, TextAnswer, WalkAnswer
from .tools import Tools

INSTRUCTIONS = """\
Runs PyTorch training scripts safely (sandbox, tiny data, no GPU, no downloads) and finds tensor-shape faults: those
that crash and those that run and train nonsense. After writing or changing a training script call `check`. Repair
with `fix` (nothing is written unless save is true). `walk` shows the observed shape of every line. Paste an error
message or traceback into `explain`. `rule` tells one fault in full."""
Script = Annotated[str, Field(description="path of a Python training script or notebook, absolute or below the folder")]
Args = Annotated[tuple[str, ...], Field(description="the script's own command-line arguments")]
READS = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
WRITES = ToolAnnotations(readOnlyHint=False, destructiveHint=True, openWorldHint=False)
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


async def _asked(tool: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs) -> Answer:
    """The tool's answer, from a thread; what is the caller's mistake is told as such."""
    try:
        return await anyio.to_thread.run_sync(lambda: tool(*given, **named))
    except (ValueError, OSError) as error:
        raise ToolError(str(error)) from error


def make_server(tools: Tools) -> MCPServer:
    """A server with the five tools."""
    server = MCPServer("shapewright", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")

    @server.tool(annotations=READS)
    async def check(script: Script, args: Args = (), repair: bool = True, timeout: float = 60.0) -> CheckAnswer:
        """Run a training script in a sandbox and list its faults: what, where, why, where each axis came from, and
        repairs that were re-run. Takes seconds. `repair=false` is faster. `outcome` other than `complete` means that
        not everything was checked."""
        return await _asked(tools.check, script, args, repair, timeout)

    @server.tool(annotations=WRITES)
    async def fix(script: Script, args: Args = (), save: bool = False, unsafe: bool = False) -> FixAnswer:
        """Find edits that repair the faults of a script, each re-run before it counts. Returns a unified diff. Files
        are written only where `save` is true; `unsafe` also takes edits that run but may not keep what the author
        meant."""
        return await _asked(tools.fix, script, args, save, unsafe)

    @server.tool(annotations=READS)
    async def walk(script: Script, args: Args = (), file: str = "", start: int = 1) -> WalkAnswer:
        """The observed shapes of a script, line by line, with axis names (batch, time, feature …) where known. `file`
        chooses another file that the script imported, `start` the line to begin at."""
        return await _asked(tools.walk, script, args, file, start)

    @server.tool(annotations=READS)
    async def explain(text: str) -> TextAnswer:
        """Explain a PyTorch error message or traceback without running anything."""
        return await _asked(tools.explain, text)

    @server.tool(annotations=READS)
    async def rule(code: str) -> TextAnswer:
        """One fault in full by its code (SW101) or slug: what it is, why it hurts, an example, what to write
        instead."""
        return await _asked(tools.rule, code)

    return server


def serve(folders: Sequence[str], lang: str = "") -> int:
    """Speak on standard input and output until the client goes away."""
    tools = Tools(folders, lang)
    try:
        make_server(tools).run("stdio")
    finally:
        tools.close()
    return 0
