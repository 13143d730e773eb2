import torch


class Decoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRUCell(8, 8)
        self.gate = torch.nn.Linear(8, 1)

    def decode(self, x):
        self.h = self.rnn(x, self.h)
        return self.h, self.gate(self.h)

    def inference(self, memory):
        x = torch.zeros_like(memory)
        self.h = memory
        mels, gates = [], []
        while True:
            mel, gate = self.decode(x)
            mels += [mel.squeeze(1)]
            gates += [gate]
            if torch.sigmoid(gate.data) > 0.9:
                break
            elif len(mels) == 20:
                break
            x = mel
        return torch.stack(mels)


with torch.no_grad():
    print(Decoder().cuda().eval().inference(torch.zeros(1, 8).cuda()).cpu().shape)
