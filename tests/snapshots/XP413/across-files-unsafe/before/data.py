import torch


class TextCollate:
    def __init__(self, pad_id):
        self.pad_id = pad_id

    def __call__(self, batch):
        return make_batch([torch.tensor(x) for x in batch], self.pad_id)


def make_batch(rows, pad_id):
    longest = max(row.size(0) for row in rows)
    batch = rows[0].new_full((len(rows), longest), pad_id)
    for place, row in enumerate(rows):
        batch[place, : len(row)] = row
    return batch


def longest_of(rows):
    longest = max(len(row) for row in rows)
    return torch.zeros(longest)
