from dataclasses import dataclass
from typing import Literal

KNOWN = ("cpu", "cuda")
CUDA = "cuda"
Kind = Literal["cuda", "cpu"]


@dataclass
class Config:
    device: Kind = "cuda"
    log_dir: str = "runs/cuda"
