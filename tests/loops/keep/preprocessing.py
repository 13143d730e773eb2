"""Data that is made ready on the host, and an optimizer that has only the name of one."""

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Tokenizer:
    def __init__(self):
        self.vocabulary = {}

    def step(self, word):
        return self.vocabulary.setdefault(word, len(self.vocabulary))


class QueryOptimizer:
    def step(self):
        return None


tokenizer, optimizer = Tokenizer(), QueryOptimizer()
ids = []
for word in "to be or not to be that is the question".split():
    ids.append(tokenizer.step(word))
    optimizer.step()
chunks = []
for start in range(0, len(ids) - 4, 2):
    chunks.append(torch.tensor(ids[start : start + 4]))
padded = torch.zeros(len(chunks), 6, dtype=torch.long)
for i, chunk in enumerate(chunks):
    padded[i, : len(chunk)] = chunk
order = torch.randperm(len(padded))
while len(order) > 1:
    order = order[::2]
batch = padded.to(device)
print(batch.shape)
