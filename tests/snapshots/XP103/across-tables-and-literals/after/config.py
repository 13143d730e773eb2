from dataclasses import dataclass
from typing import Literal
import torch_xla

KNOWN = ("cpu", "xla")
CUDA = "xla"
Kind = Literal["xla", "cpu"]


@dataclass
class Config:
    device: Kind = "xla"
    log_dir: str = "runs/cuda"
