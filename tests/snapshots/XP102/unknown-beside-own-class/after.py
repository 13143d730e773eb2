class Robot:
    def cuda(self):
        return self


def move(x):
    return x.cuda()
