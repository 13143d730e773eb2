def main(a):
    one = True
    two = a or True
    three = a() or True
    return one, two, three
