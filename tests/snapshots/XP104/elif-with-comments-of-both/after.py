

def main(a, b, x):
    if a:
        x.one()
    # the other way
    elif b:
        x.three()
    else:
        x.four()
