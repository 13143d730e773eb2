import torch
import torch.nn as nn


class TransformerModel(nn.Transformer):
    def __init__(self):
        super().__init__(d_model=16, nhead=2)
        self.src_mask = None
        self.decoder = nn.Linear(16, 10)

    def forward(self, src):
        output = self.encoder(src, mask=self.src_mask)
        return self.decoder(output, self.src_mask)


model = TransformerModel().to("xla")
