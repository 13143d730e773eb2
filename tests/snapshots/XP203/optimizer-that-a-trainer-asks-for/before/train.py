import torch
from net import Net
from trainer import Holder, Trainer, TrainerThere

trainer = Trainer(Net()).cuda()
other = TrainerThere(Net()).cuda()
held = Holder(Net(), {}).cuda()
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    trainer.step(x.cuda())
