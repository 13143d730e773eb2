import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, config, embedding_weights):
        super().__init__()
        self.decoder = nn.Linear(4, 10, bias=False)
        self.decoder.weight = embedding_weights
        self.bias = nn.Parameter(torch.zeros(10))


class Heads(nn.Module):
    def __init__(self, config, embedding_weights):
        super().__init__()
        self.predictions = Head(config, embedding_weights)


class Bert(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = nn.Embedding(10, 4)


class Pretraining(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.bert = Bert(config)
        self.cls = Heads(config, self.bert.embeddings.weight)


model = Pretraining(None).cuda()
