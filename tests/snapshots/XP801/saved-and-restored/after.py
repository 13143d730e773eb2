def main(work):
    work()
