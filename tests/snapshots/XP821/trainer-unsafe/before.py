import lightning as L
import pytorch_lightning as pl
from lightning.pytorch.strategies import DDPStrategy
from pytorch_lightning import Trainer


def main(args):
    trainer = L.Trainer(accelerator="gpu", devices=4, strategy="ddp_find_unused_parameters_true", precision="16-mixed")
    every = pl.Trainer(accelerator="cuda", devices=-1, strategy=DDPStrategy(find_unused_parameters=False), precision=16)
    some = Trainer(
        accelerator="gpu",
        devices=[0, 1],  # the free ones
        precision="bf16",
        max_epochs=args.epochs,
    )
    return trainer, every, some
