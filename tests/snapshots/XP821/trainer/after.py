from lightning.pytorch import Trainer

trainer = Trainer(accelerator="tpu", devices="auto", strategy="auto")
wide = Trainer(accelerator="tpu", devices=8, num_nodes=2, precision="16-mixed", sync_batchnorm=True)
double = Trainer(accelerator="tpu", precision=64, gpus=2)
