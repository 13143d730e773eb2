def work(rank, size):
    print(rank, size)


def run(job):
    job()


def show(job):
    """Show a job."""

    print(job)
