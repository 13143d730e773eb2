def label():
    cuda = True
    return "cuda" if cuda else "cpu"
