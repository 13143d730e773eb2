class Converter:
    def __init__(self, characters):
        self.characters = ["", *characters]

    def decode(self, rows, lengths):
        texts = []
        for number, length in enumerate(lengths):
            row = rows[number, :]
            found = []
            for i in range(length):
                if row[i] != 0 and not (i > 0 and row[i - 1] == row[i]):
                    found.append(self.characters[row[i]])
            texts.append("".join(found))
        return texts
