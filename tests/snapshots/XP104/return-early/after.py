def main(x):
    return x
