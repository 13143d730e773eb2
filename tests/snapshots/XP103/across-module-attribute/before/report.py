import state


def title():
    return "fast" if state.DEVICE == "cuda" else "slow"
