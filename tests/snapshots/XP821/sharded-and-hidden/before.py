import os

import pytorch_lightning as pl
from lightning.fabric import Fabric
from pytorch_lightning.strategies import FSDPStrategy

sharded = pl.Trainer(strategy="deepspeed_stage_2")
other = pl.Trainer(strategy=FSDPStrategy(cpu_offload=True))
hidden = pl.Trainer(accelerator=os.environ["ACCELERATOR"], devices=int(os.environ["DEVICES"]))
kept = dict(accelerator="gpu", strategy="ddp", devices=2)
told = pl.Trainer(**kept)
fabric = Fabric(accelerator="gpu", devices=2)
fabric.launch()
old = pl.Trainer.from_argparse_args(kept)
settings = {}
settings["accelerator"] = "ddp"
