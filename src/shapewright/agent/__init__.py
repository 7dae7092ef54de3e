"""`shapewright mcp`: the checker as tools of an agent, over the Model Context Protocol.

`tools` does the work on plain data and is confined to given folders, `server` speaks the protocol. No check imports
this room; it needs the extra `shapewright[agent]`. SKILL.md tells an agent which tool to use when."""
