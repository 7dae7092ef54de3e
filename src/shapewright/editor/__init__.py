"""`shapewright lsp`: the checker behind the Language Server Protocol.

`server` speaks the protocol, `worker` runs checks in one warm resident process and gives up what a newer save makes
needless, the other modules turn what was found into what an editor shows. No check imports this room; it needs the
extra `shapewright[editor]`."""
