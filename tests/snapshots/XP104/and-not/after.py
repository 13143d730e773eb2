

def main(a):
    pass
