async def main(x, files):
    if True:

        def move(y):
            """Move it.

            To the device.
            """
            return y

    else:

        def move(y):
            return y

    if True:  # why
        # first
        await x.one()

        with x.two():
            pass
        # last
    else:
        # on the CPU
        await x.three()
    # behind
    for file in files:
        if True:
            x.four(file)
            continue
        x.five(file)
    try:
        if True: x.six(); x.seven()
        else: x.eight()
    finally:
        x.nine()
    return move
