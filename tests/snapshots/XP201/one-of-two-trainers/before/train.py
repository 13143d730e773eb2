import torch
from torch import nn
from trainer import EncDecTrainer, SingleTrainer


def main(single):
    model = nn.Linear(8, 8).cuda()
    if single:
        trainer = SingleTrainer(model)
    else:
        trainer = EncDecTrainer(nn.Linear(8, 8).cuda(), model)
    for epoch in range(3):
        for step in range(100):
            trainer.lm_step(torch.randn(4, 8).cuda(), torch.randn(4, 8).cuda())
        for step in range(100):
            trainer.mt_step(torch.randn(4, 8).cuda(), torch.randn(4, 8).cuda())
        print(epoch, trainer.losses)


main(False)
