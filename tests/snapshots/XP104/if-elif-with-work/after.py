def main(x):
    if True:
        x.one()
    elif x.two():
        x.three()
    else:
        x.four()
