import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def step(self, loss):
        loss.backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        value = xm.optimizer_step(self.optimizer, barrier=True, groups=self.groups, pin_layout=False)
        return value

    def again(self, loss):
        loss.backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        xm.optimizer_step(self.optimizer, True)

    def closed(self, loss, closure):
        loss.backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        xm.optimizer_step(self.optimizer, optimizer_args={"closure": closure})

    def choice(self, loss, barrier):
        loss.backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        xm.optimizer_step(self.optimizer, barrier=barrier)


print(torch_xla.runtime.world_size())
