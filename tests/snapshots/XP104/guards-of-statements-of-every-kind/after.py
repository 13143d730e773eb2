

async def main(x, files):
    def move(y):
        """Move it.

            To the device.
            """
        return y

    # first
    await x.one()

    with x.two():
        pass
    # last
    # behind
    for file in files:
        x.four(file)
        continue
    try:
        x.six()
        x.seven()
    finally:
        x.nine()
    return move
