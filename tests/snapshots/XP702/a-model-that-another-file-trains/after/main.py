import torch_xla.core.xla_model as xm
from build import Trainer
trainer = Trainer()
xm.save(trainer.fit().state_dict(), "x.pt")
xm.save(trainer.net.state_dict(), "y.pt")
