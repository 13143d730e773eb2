def noise(x, make):
    if x.is_xla:
        make = make.cuda()
    return make
