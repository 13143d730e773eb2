from lightning.pytorch import Trainer

wide = Trainer(accelerator="tpu", devices="auto", num_nodes=2, precision="bf16-true", sync_batchnorm=True)
double = Trainer(accelerator="tpu", precision="32-true", gpus=2)
