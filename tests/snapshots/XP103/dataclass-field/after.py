from dataclasses import dataclass

import torch
import torch_xla


@dataclass
class Config:
    device: str = "xla"


def main(config: Config):
    config = Config()
    return torch.randn(3, device=config.device)
