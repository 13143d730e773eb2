

def main(x):
    return x.fast()
