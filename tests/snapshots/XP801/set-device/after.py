

def worker(rank):
    pass
