def worker(rank):
    pass
