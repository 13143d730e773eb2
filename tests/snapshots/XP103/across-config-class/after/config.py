from dataclasses import dataclass, field
import torch_xla


@dataclass
class Config:
    name: str = "cuda"
    device: str = field(default="xla")
