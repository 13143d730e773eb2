"""Measure what a conversion passes over: CUDA names left in the code that no finding speaks of.

    python tools/recall.py PATH...

Converts the files in memory with ``--unsafe``, looks at the result again, and compares its findings with a search
that knows nothing of the rules: the names and texts of CUDA among the tokens of the code (not in comments, nor in
docstrings or other texts). Prints each occurrence without a finding in its lines, and the counts.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path

from xlaport import project, run
from xlaport.config import Config

NAMES = re.compile(
    r"cuda|cudnn|nccl|is_cuda|cusparselt|cublas|nvtx|GradScaler|pynvml|cupy|apex|xformers|flash_attn|bitsandbytes|"
    r"deepspeed|DataParallel|DistributedDataParallel|init_process_group|empty_cache|"
    r"(max_)?memory_(allocated|reserved|cached)"
)
OTHERS = re.compile(r"torch(_npu)?\.(npu|xpu|mps|mlu|sdaa|musa|hpu|neuron)\b")
"""Other makers' namespaces, which spell some names as CUDA does."""
TEXTS = re.compile(r"cuda(:\d+)?|nccl|CUDA_\w+|NCCL_\w+|PYTORCH_CUDA_ALLOC_CONF")


def occurrences(text: str) -> Iterator[tuple[int, str]]:
    """Line and spelling of each name or text of CUDA among the tokens of a program."""
    imports = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and NAMES.fullmatch(token.string) and token.start[0] not in imports:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING:
            try:
                value = ast.literal_eval(token.string)
            except (ValueError, SyntaxError):
                continue
            if isinstance(value, str) and TEXTS.fullmatch(value):
                yield token.start[0], token.string


def main() -> None:
    """Print what was passed over in the paths given."""
    config = Config(unsafe=True)
    roots = [Path(argument) for argument in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        port = Path(folder, "port")
        first = run.convert(roots, config)
        run.write_to(first, roots, port)
        second = run.convert([port], config)
        spoken = {
            file.path.resolve(): {line for f in file.findings for line in range(f.line, f.end_line + 1)}
            for file in second.files
        }
        total = silent = files = 0
        for path in project.discover([port]).files:
            try:
                text = path.read_text(encoding="utf-8")
                found = list(occurrences(text))
            except (SyntaxError, UnicodeDecodeError, tokenize.TokenError):
                continue
            files += 1
            lines = text.splitlines()
            for line, spelling in found:
                total += 1
                if OTHERS.search(lines[line - 1]):
                    total -= 1
                elif line not in spoken.get(path.resolve(), ()):
                    silent += 1
                    print(f"{path.relative_to(port)}:{line}: {spelling}: {lines[line - 1].strip()}")
    fixed = sum(finding.fixed for finding in first.findings)
    changed = sum(file.changed for file in second.files)
    print(f"{files} files, {fixed} findings fixed, {len(first.errors)} errors, {changed} files changed the second time")
    print(f"{total} occurrences left, {silent} without a finding")


if __name__ == "__main__":
    main()
