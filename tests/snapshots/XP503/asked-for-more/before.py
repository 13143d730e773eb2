"""What a scaler that is off answers otherwise, or not at all."""

import torch
from torch.cuda.amp import GradScaler, autocast

scaler = GradScaler()
with autocast(enabled=scaler.is_enabled()):
    out = model(x)
growing = GradScaler()
print(growing.get_growth_factor())
saved = GradScaler()
print(saved.state_dict()["scale"])
plain = GradScaler()
plain.scale(loss).backward()
plain.step(optimizer)
plain.update()
torch.save(plain.state_dict(), "scaler.pt")
lost = GradScaler(enabled=(use := args.amp))
commented = GradScaler(
    # for float16
)


class Trainer:
    def __init__(self):
        self.scaler = torch.amp.GradScaler("cuda")
        self.other = torch.amp.GradScaler("cuda")

    def step(self, loss):
        self.other.scale(loss).backward()
        if self.scaler.is_enabled():
            self.scaler.scale(loss).backward()
