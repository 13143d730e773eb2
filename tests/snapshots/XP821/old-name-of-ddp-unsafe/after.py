import pytorch_lightning as pl
from pytorch_lightning import Trainer

runner = Trainer(strategy="auto", max_epochs=2)
