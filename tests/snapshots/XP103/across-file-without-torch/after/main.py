from trainer import Trainer
import torch_xla

Trainer("xla").fit()
