from trainer import Trainer

Trainer("cuda").fit()
