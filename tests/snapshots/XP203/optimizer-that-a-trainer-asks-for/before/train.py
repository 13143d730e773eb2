import torch
from net import Net
from trainer import BritishTrainer, Holder, Trainer, TrainerThere

trainer = Trainer(Net()).cuda()
other = TrainerThere(Net()).cuda()
british = BritishTrainer(Net()).cuda()
held = Holder(Net(), {}).cuda()
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    trainer.step(x.cuda())
