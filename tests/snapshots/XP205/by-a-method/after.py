import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10, bias=False)
        self.init_weights()
        self.tie_weights()

    def init_weights(self):
        nn.init.normal_(self.emb.weight)

    def tie_weights(self):
        """The output layer is the embedding."""
        if self.config.tie_word_embeddings:
            self.out.weight = self.emb.weight


def main(config):
    model = Model(config)
    tied = model.out.weight is model.emb.weight
    model.to("cuda")
    if tied:
        model.out.weight = model.emb.weight
    return model
