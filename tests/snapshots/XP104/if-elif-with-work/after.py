

def main(x):
    x.one()
