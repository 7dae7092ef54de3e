"""Executing a script safely: child process, sandbox, loop caps, stand-ins, engines. It knows no rule."""
