class State:
    def __init__(self):
        self.seen = 0
def tick(state):
    state.seen += 1
