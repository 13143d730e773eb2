from setup import join


def run(rate):
    join()


def main():
    run(0.1)


if __name__ == "__main__":
    print("x:")
    main()
