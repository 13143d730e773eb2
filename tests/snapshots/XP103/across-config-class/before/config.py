from dataclasses import dataclass, field


@dataclass
class Config:
    name: str = "cuda"
    device: str = field(default="cuda:0")
