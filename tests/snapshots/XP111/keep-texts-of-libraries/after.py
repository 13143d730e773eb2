import collections
import logging
import os
import re
from pathlib import Path
from typing import TypeVar

import torch

__all__ = ["cuda"]
log = logging.getLogger("cuda")
folder = Path("cuda")
source = os.path.join("csrc", "cuda")
found = re.search("cuda", text)
T = TypeVar("cuda")
Row = collections.namedtuple("cuda", "name")
text = open("cuda").read()
assert text, "cuda"
if branch.startswith("cuda"):
    raise ValueError("cuda")
print(f"{'cuda'}: {text}")
