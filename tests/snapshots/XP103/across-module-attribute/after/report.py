import state


def title():
    return "fast" if state.DEVICE == "xla" else "slow"
