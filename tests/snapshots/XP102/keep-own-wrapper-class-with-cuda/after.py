import torch


class Bag(list):
    def cuda(self):
        return Bag(x.to("cpu") for x in self)


bag = Bag([torch.zeros(1)])
bag.cuda()
