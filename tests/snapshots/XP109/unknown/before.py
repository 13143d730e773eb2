def noise(x, make):
    return make.to("gpu") if x.is_cuda else make
