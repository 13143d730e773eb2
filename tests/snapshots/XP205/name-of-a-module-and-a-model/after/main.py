import torch

import model

args = {"tied": True}
tied = args["tied"]
device = torch.device("cuda")
model = model.RNNModel(tied).to(device)
if tied:
    model.decoder.weight = model.encoder.weight
