import argparse

import torch
from torch import nn

args = argparse.ArgumentParser().parse_args()
net = nn.Linear(2, 2).cuda()
if args.network:
    data = torch.load(args.network, map_location="cpu")
    net.load_state_dict(data["net"].state_dict())
    print(data["images"])
torch.save(dict(net=net, images=1000), "network.pt")

if args.resume:
    checkpoint = torch.load(args.resume, map_location="cpu")
    net.load_state_dict(checkpoint["model"])
    print(checkpoint["scale"])
state = {"model": net.state_dict(), "options": args}
if args.scaled:
    state["scale"] = 2.0
torch.save(state, "state.pt")
