import torch


async def main(x, files):
    if torch.cuda.is_available():

        def move(y):
            """Move it.

            To the device.
            """
            return y

    else:

        def move(y):
            return y

    if torch.cuda.is_available():  # why
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
        if torch.cuda.is_available():
            x.four(file)
            continue
        x.five(file)
    try:
        if torch.cuda.is_available(): x.six(); x.seven()
        else: x.eight()
    finally:
        x.nine() if torch.cuda.is_available() else x.ten()
    return move
