def main(a, b, x):
    if a:
        x.one()
    # without CUDA
    elif False:
        x.two()  # slowly
    # the other way
    elif b:
        x.three()
    else:
        x.four()
