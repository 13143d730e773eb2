def main(x):
    if True:
        return x.fast()
    y = x.slow()
    return y
