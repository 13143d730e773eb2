"""Pairs of sentences: the made-up ones, or those of a file, and batches of pairs that are about as long."""

import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset, Sampler

PAD, BOS, EOS, UNK = 0, 1, 2, 3


def make_pairs(count, max_words, seed):
    """Sentences and their translations, word by word, but for articles, which the other language has not."""
    rng = random.Random(seed)
    nouns = {"fox": "zorro", "river": "rio", "stone": "piedra", "sailor": "marino", "raven": "cuervo"}
    verbs = {"follows": "sigue", "finds": "halla", "paints": "pinta", "forgets": "olvida"}
    adjectives = {"quiet": "callado", "silver": "plateado", "old": "viejo", "green": "verde", "hollow": "hueco"}
    pairs = []
    for _ in range(count):
        subject, verb, noun = rng.choice(list(nouns)), rng.choice(list(verbs)), rng.choice(list(nouns))
        first, second = (rng.choices(list(adjectives), k=rng.randint(0, (max_words - 5) // 2)) for _ in range(2))
        source = ["the", *first, subject, verb, "a", *second, noun]
        target = [*(adjectives[word] for word in first), nouns[subject], verbs[verb]]
        pairs.append((source, [*target, *(adjectives[word] for word in second), nouns[noun]]))
    return pairs


def read_pairs(path):
    """One pair in each line, with a tab between the two."""
    with open(path, encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("\t") for line in f]
    return [(source.split(), target.split()) for source, target in lines]


class Vocabulary:
    def __init__(self, sentences):
        words = sorted({word for sentence in sentences for word in sentence})
        self.words = ["<pad>", "<s>", "</s>", "<unk>", *words]
        self.index = {word: i for i, word in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, sentence):
        return torch.tensor([BOS, *(self.index.get(word, UNK) for word in sentence), EOS])


class Pairs(Dataset):
    def __init__(self, pairs, source_vocabulary, target_vocabulary):
        self.pairs = [(source_vocabulary.encode(s), target_vocabulary.encode(t)) for s, t in pairs]
        self.lengths = [max(len(s), len(t)) for s, t in self.pairs]

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, index):
        return self.pairs[index]


class ByLength(Sampler):
    """Batches of pairs that are about as long, in an order of their own in each epoch."""

    def __init__(self, lengths, batch_size, seed=0):
        self.lengths = lengths
        self.batch_size = batch_size
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.lengths) // self.batch_size

    def __iter__(self):
        order = list(range(len(self.lengths)))
        self.rng.shuffle(order)
        order.sort(key=lambda index: self.lengths[index])
        batches = [order[i : i + self.batch_size] for i in range(0, len(order), self.batch_size)]
        batches = [batch for batch in batches if len(batch) == self.batch_size]
        self.rng.shuffle(batches)
        return iter(batches)


def collate(pairs):
    sources, targets = zip(*pairs)
    sources = pad_sequence(sources, batch_first=True, padding_value=PAD)
    targets = pad_sequence(targets, batch_first=True, padding_value=PAD)
    return sources, targets
