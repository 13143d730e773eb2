import lightning as L
from mine import Trainer
from pytorch_lightning import Trainer as Old

ours = Trainer(accelerator="gpu", devices=4, strategy="ddp", precision=16)
here = L.Trainer(accelerator="cpu", devices=4, strategy="ddp", precision="bf16-mixed")
tpu = L.Trainer(accelerator="tpu", devices="auto", strategy="auto", precision="bf16-true")
one = Old(accelerator="auto", devices=1, precision="32-true", num_nodes=1, sync_batchnorm=False)
chip = L.Fabric(accelerator="tpu", devices=[0], strategy="xla")
chip.launch()
