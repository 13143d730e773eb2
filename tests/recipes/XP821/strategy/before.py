from lightning.pytorch import Trainer

trainer = Trainer(accelerator="tpu", devices="auto", strategy="deepspeed_stage_2")
options = {"accelerator": "gpu"}
other = Trainer(**options)
