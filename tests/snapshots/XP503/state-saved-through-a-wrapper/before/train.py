"""The state is saved as a whole, and only that of the model is asked for a part."""

import torch
from scaling import Scaling

scaling = Scaling()
for loss, optimizer in steps():
    scaling(loss, optimizer)
torch.save({"scaler": scaling.state_dict(), "head": model.state_dict()["head.weight"]}, "last.pt")
