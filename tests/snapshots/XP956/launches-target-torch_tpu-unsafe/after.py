import os


def main(index, flags=None):
    print(index, flags)


main(int(os.environ.get("RANK", "0")))
main(int(os.environ.get("RANK", "0")), {"lr": 1})
main(int(os.environ.get("RANK", "0")), None)
