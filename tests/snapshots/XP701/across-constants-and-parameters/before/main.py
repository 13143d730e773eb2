import config
import torch
from checkpoints import Saver, load, load_to_host
from config import DEVICE, WHERE

state = torch.load("a.pt", map_location=DEVICE)
other = torch.load("b.pt", map_location=config.WHERE)
host = torch.load("c.pt", map_location=config.HOST)
best = load("d.pt", DEVICE)
kept = load_to_host("e.pt", location=config.HOST)
last = Saver(WHERE).restore("f.pt")
