"""Several scripts at the same time: each thread has a resident process of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from ..checking import examine
from ..diagnosis import Diagnosis
from ..trace import Trace


def each(
    scripts: Sequence[str], argv: Sequence[str], resident: Any, jobs: int, **options: Any
) -> Iterator[tuple[Trace, Diagnosis]]:
    """What `examine` says of every script, in their order, `jobs` of them under way at a time. The first thread takes
    `resident`."""
    jobs = min(jobs, len(scripts))
    if jobs <= 1:
        for script in scripts:
            yield examine(script, argv, resident=resident, **options)
        return
    from ..run.process.supervisor import Resident

    with ExitStack() as stack:
        free = [resident, *(stack.enter_context(Resident()) for _ in range(jobs - 1))]
        own = threading.local()

        def examined(script: str) -> tuple[Trace, Diagnosis]:
            if not hasattr(own, "resident"):
                own.resident = free.pop()
            return examine(script, argv, resident=own.resident, **options)

        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        under_way = [pool.submit(examined, script) for script in scripts]
        try:
            for future in under_way:
                yield future.result()
        finally:
            for future in under_way:
                future.cancel()
