"""Makes the recorder: this package, as it is installed, in a zip file that Python runs."""

from __future__ import annotations

import zipfile
from pathlib import Path

from xlaport.errors import UserError

_PACKAGE = Path(__file__).resolve().parent
_SHEBANG = b"#!/usr/bin/env python3\n"
_MAIN = """\
import sys

if sys.version_info < (3, 10):
    sys.stderr.write("xlaport_recorder: this is Python %d.%d; the recorder needs 3.10\\n" % sys.version_info[:2])
    sys.exit(2)

from xlaport.verify.recorder import main

sys.exit(main())
"""
_OLDEST = (1980, 1, 1, 0, 0, 0)
"""No times of the files go in: the same sources give the same bytes."""


def write_recorder(out: Path) -> None:
    """Write the recorder; `UserError` where that cannot be."""
    root = _PACKAGE.parent
    modules = [root / "__init__.py", root / "errors.py", root / "wording.py", *sorted(_PACKAGE.rglob("*.py"))]
    try:
        with out.open("wb") as file:
            file.write(_SHEBANG)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                archive.writestr(zipfile.ZipInfo("__main__.py", _OLDEST), _MAIN)
                for module in modules:
                    name = Path(root.name, module.relative_to(root)).as_posix()
                    archive.writestr(zipfile.ZipInfo(name, _OLDEST), module.read_bytes())
        out.chmod(0o755)
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error.strerror or error}") from error
