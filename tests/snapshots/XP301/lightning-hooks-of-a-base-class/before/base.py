import lightning.pytorch as pl


class Base(pl.LightningModule):
    pass
