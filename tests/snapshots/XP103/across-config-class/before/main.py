from config import Config
from trainer import Trainer

Trainer(Config()).fit()
