from lightning.pytorch import Trainer

trainer = Trainer(accelerator="gpu", devices=-1, strategy="ddp")
wide = Trainer(accelerator="gpu", devices=8, num_nodes=2, precision="16-mixed", sync_batchnorm=True)
double = Trainer(accelerator="gpu", precision=64, gpus=2)
