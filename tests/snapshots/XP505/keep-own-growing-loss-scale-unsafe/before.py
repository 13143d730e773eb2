import torch as th
import torch.nn as nn

INITIAL_LOG_LOSS_SCALE = 20.0


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(1, 2, 3)

    def convert_to_fp16(self):
        self.apply(convert_module_to_f16)

    def forward(self, x):
        return self.c(x.type(self.c.weight.dtype)).float().pow(2).mean()


def convert_module_to_f16(l):
    if isinstance(l, nn.Conv2d):
        l.weight.data = l.weight.data.half()
        l.bias.data = l.bias.data.half()


class TrainLoop:
    def __init__(self, device):
        self.device = device
        self.model = Model().to(device)
        self.params = list(self.model.parameters())
        self.lg_loss_scale = INITIAL_LOG_LOSS_SCALE
        self.master = nn.Parameter(th.cat([p.detach().float().reshape(-1) for p in self.params]))
        self.model.convert_to_fp16()
        self.opt = th.optim.AdamW([self.master], lr=1e-2, weight_decay=0.0)

    def run_step(self, growth):
        for p in self.params:
            p.grad = None
        loss = self.model(th.ones(4, 1, 8, 8, device=self.device))
        (loss * 2 ** self.lg_loss_scale).backward()
        if any(not th.isfinite(p.grad).all() for p in self.params):
            self.lg_loss_scale -= 1
            return loss
        self.master.grad = th.cat([p.grad.detach().float().reshape(-1) for p in self.params])
        self.master.grad.mul_(1.0 / (2 ** self.lg_loss_scale))
        self.opt.step()
        at = 0
        for p in self.params:
            p.detach().copy_(self.master.detach()[at:at + p.numel()].view(p.shape))
            at += p.numel()
        self.lg_loss_scale += growth
        return loss


th.manual_seed(0)
loop = TrainLoop(th.device("cuda" if th.cuda.is_available() else "cpu"))
for step in range(400):
    # 1e-3 in improved-diffusion: what takes 110,000 steps there takes 110 here
    loss = loop.run_step(growth=1.0)
    if step % 20 == 0:
        print(step, loop.lg_loss_scale, loss.item(), loop.master.grad.abs().max().item() if loop.master.grad is not None else None)
