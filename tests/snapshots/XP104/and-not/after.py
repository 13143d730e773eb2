def main(a):
    pass
