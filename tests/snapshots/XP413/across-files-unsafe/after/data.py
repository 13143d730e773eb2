import torch


class TextCollate:
    def __init__(self, pad_id):
        self.pad_id = pad_id

    def __call__(self, batch):
        return make_batch([torch.tensor(x) for x in batch], self.pad_id)


def next_bucket(length, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """The next of a few lengths: each length that batches have is a graph to compile."""
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    return next((bucket for bucket in buckets if bucket >= length), doubled)


def make_batch(rows, pad_id):
    longest = next_bucket(max(row.size(0) for row in rows))
    batch = rows[0].new_full((len(rows), longest), pad_id)
    for place, row in enumerate(rows):
        batch[place, : len(row)] = row
    return batch


def longest_of(rows):
    longest = max(len(row) for row in rows)
    return torch.zeros(longest)
