import painting


def paint(number):
    return painting.draw(number)
