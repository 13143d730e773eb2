def main(a, b):
    return a and b
