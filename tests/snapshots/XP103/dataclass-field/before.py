from dataclasses import dataclass

import torch


@dataclass
class Config:
    device: str = "cuda"


def main(config: Config):
    config = Config()
    return torch.randn(3, device=config.device)
