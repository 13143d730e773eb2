import torch
from torch import nn
import argparse


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, tie_weights=False):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        if tie_weights:
            if nhid != ninp:
                raise ValueError("nhid must be equal to emsize")
            self.decoder.weight = self.encoder.weight


parser = argparse.ArgumentParser()
parser.add_argument("--tied", action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = RNNModel(100, 8, 8, args.tied)
tied = model.decoder.weight is model.encoder.weight
model = model.to(device)
if tied:
    model.decoder.weight = model.encoder.weight
always = RNNModel(100, 8, 8, tie_weights=True).to(device)
always.decoder.weight = always.encoder.weight
never = RNNModel(100, 8, 8).to(device)
