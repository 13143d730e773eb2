import torch

import model

args = {"tied": True}
tied = args["tied"]
device = torch.device("cuda")
model = model.RNNModel(tied)
was_tied = model.decoder.weight is model.encoder.weight
model = model.to(device)
if was_tied:
    model.decoder.weight = model.encoder.weight
