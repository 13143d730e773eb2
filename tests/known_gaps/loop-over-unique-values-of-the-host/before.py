import numpy as np
import torch


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, input, inst):
        outputs = self.model(input)
        mean = outputs.clone()
        for i in np.unique(inst.cpu().numpy().astype(int)):
            mean = torch.where(inst == int(i), outputs.mean(), mean)
        return mean


net = Encoder().cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
for data in [{"image": torch.rand(1, 3, 8, 8), "inst": torch.randint(3, (1, 1, 8, 8))}] * 4:
    loss = net(data["image"].cuda(), data["inst"].cuda()).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
