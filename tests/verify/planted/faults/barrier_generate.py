# planted: no-barrier, host-read
# A generator of tokens, each of which is read for the end of the text.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
embed, head = nn.Embedding(16, 8).to(device), nn.Linear(8, 16).to(device)


@torch.no_grad()
def generate(token, count):
    for _ in range(count):
        token = head(embed(token)).argmax(-1)
        value = token.item()  # <- here
        if value == 99:
            return
        yield value


print(list(generate(torch.tensor([1]).to(device), 12)))
