from lightning.pytorch import Trainer

trainer = Trainer(accelerator="tpu", devices="auto")
options = {"accelerator": "gpu"}
other = Trainer(**options)
