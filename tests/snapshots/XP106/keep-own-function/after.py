def manual_seed(n):
    return n


manual_seed(3)
