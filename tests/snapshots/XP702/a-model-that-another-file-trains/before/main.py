import torch
from build import Trainer
trainer = Trainer()
torch.save(trainer.fit().state_dict(), "x.pt")
torch.save(trainer.net.state_dict(), "y.pt")
