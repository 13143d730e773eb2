import torch

text = "lightning"
settings = {"accelerator": "gpu", "strategy": "ddp", "precision": 16}
