import pytorch_lightning as pl
from pytorch_lightning import Trainer
from pytorch_lightning.plugins import DDPPlugin

runner = Trainer(strategy=DDPPlugin(find_unused_parameters=False), max_epochs=2)
