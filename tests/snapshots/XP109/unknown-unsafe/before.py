def noise(x, make):
    if x.is_cuda:
        make = make.cuda()
    return make
