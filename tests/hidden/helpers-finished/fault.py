"""A helper decides by the device when generation stops."""
import torch
from torch import nn

STOP, LIMIT = 3, 24


def finished(tokens, done):
    return bool(done.all()) or len(tokens) >= LIMIT  # or: XP403|XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308


model = nn.Sequential(nn.Embedding(10, 12), nn.Linear(12, 10)).cuda().eval()
token = torch.zeros(4, dtype=torch.long).cuda()
done = torch.zeros(4, dtype=torch.bool).cuda()
tokens = []
with torch.no_grad():
    while not finished(tokens, done):  # wants: XP403|XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308
        token = model(token).argmax(-1)
        done = done | (token == STOP)
        tokens.append(token)
print(torch.stack(tokens, 1).tolist())
