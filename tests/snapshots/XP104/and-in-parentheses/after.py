def main(a, b):
    one = a
    two = a
    three = a
    four = (a or b)
    five = (a or b)
    six = a or b
    return one, two, three, four, five, six
