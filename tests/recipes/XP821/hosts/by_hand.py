from lightning.pytorch import Trainer

wide = Trainer(accelerator="tpu", devices="auto", precision="bf16-true", sync_batchnorm=True)
double = Trainer(accelerator="tpu", precision=64, gpus=2)
