from setup import share


def main():
    print(share(8))


if __name__ == "__main__":
    main()
