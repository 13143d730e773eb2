import torch


def join(samples):
    """Words, their letters and labels; the loops read no letters."""

    def padded_rows(rows):
        longest = max(len(row) for row in rows)
        out = torch.zeros(len(rows), longest, dtype=torch.long)
        for i, row in enumerate(rows):
            out[i, : len(row)] = row
        return out

    def padded_tables(tables):
        rows, columns = [t.size(0) for t in tables], [t.size(1) for t in tables]
        out = torch.zeros(len(tables), max([t.size(0) for t in tables]), max([t.size(1) for t in tables]))
        for i, table in enumerate(tables):
            out[i, : rows[i], : columns[i]] = table
        return out

    words, letters, labels = zip(*samples)
    words = padded_rows(words)
    letters = padded_tables(letters)
    return words, letters, torch.tensor(labels)


def join_all(samples):
    """The same, and one of the loops reads the letters."""
    words, letters = zip(*samples)
    out = torch.zeros(len(letters), max([t.size(0) for t in letters]), 8)
    for i, table in enumerate(letters):
        out[i, : len(table)] = table
    return torch.stack(words), out
