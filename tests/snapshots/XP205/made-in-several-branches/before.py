import torch
from torch import nn


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.transformer = nn.ModuleDict(dict(
            wte = nn.Embedding(10, 4),
            h = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)]),
        ))
        self.lm_head = nn.Linear(4, 10, bias=False)
        self.transformer.wte.weight = self.lm_head.weight # https://paperswithcode.com/method/weight-tying

    def crop_block_size(self, block_size):
        self.transformer.wpe.weight = nn.Parameter(self.transformer.wpe.weight[:block_size])

    @classmethod
    def from_pretrained(cls, model_type):
        model = GPT(model_type)
        sd = model.state_dict()
        return model

    @classmethod
    def of(cls, config):
        return cls(config)


init_from = "scratch"
if init_from == "scratch":
    model = GPT(None)
elif init_from == "resume":
    model = GPT.of(None)
    model.load_state_dict(torch.load("ckpt.pt"))
else:
    model = GPT.from_pretrained(init_from)
model.crop_block_size(8)
model.to("cuda")
optimizer = torch.optim.AdamW(model.parameters())
model = torch.compile(model)
