import lightning as L
import pytorch_lightning as pl
import torch

with torch.autograd.profiler.profile(record_shapes=True) as prof:
    torch.ones(3)
with torch.autograd.profiler.profile():
    torch.ones(3)
trainer = pl.Trainer(accelerator="tpu", precision=16)
other = L.Trainer(precision="16-mixed")
kept = L.Trainer(precision="bf16-true")
