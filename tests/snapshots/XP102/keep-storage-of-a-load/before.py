import torch

state = torch.load("a.pt", map_location=lambda storage, loc: storage.cuda(0))
other = torch.load("b.pt", lambda storage, loc: storage.cuda())
