def work(rank, size):
    print(rank, size)


def run(job):
    # A job runs on the device alone.

    job()


def show(job):
    """Show a job."""

    print(job)
