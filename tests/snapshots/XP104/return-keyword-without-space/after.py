def main(a):
    if a:
        return a
