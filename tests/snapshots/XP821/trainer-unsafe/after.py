import lightning as L
import pytorch_lightning as pl
from pytorch_lightning import Trainer


def main(args):
    trainer = L.Trainer(accelerator="tpu", devices="auto", strategy="auto", precision="bf16-true")
    every = pl.Trainer(accelerator="tpu", devices="auto", strategy="auto", precision="bf16-true")
    some = Trainer(
        accelerator="tpu",
        devices="auto",  # the free ones
        precision="bf16-true",
        max_epochs=args.epochs,
    )
    return trainer, every, some
