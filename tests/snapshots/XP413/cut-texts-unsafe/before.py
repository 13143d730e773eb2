"""A tokenizer that cuts texts raises for a multiple that its length is none of: it pads to that length instead."""

import torch
from torch import nn
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(30000, 16)
        self.layer = nn.TransformerEncoderLayer(16, 2, batch_first=True)

    def forward(self, ids, mask):
        return self.layer(self.embedding(ids), src_key_padding_mask=mask == 0)


model = Encoder().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for texts in [["a short one", "another"]] * 8:
    short = tokenizer(texts, padding="longest", truncation=True, max_length=35, return_tensors="pt").to("cuda")
    own = tokenizer(texts, padding=True, truncation="longest_first", return_tensors="pt").to("cuda")
    uncut = tokenizer(texts, padding=True, truncation=False, max_length=35, return_tensors="pt").to("cuda")
    loss = sum(model(x.input_ids, x.attention_mask).sum() for x in (short, own, uncut))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
