from setup import join
import torch_xla


def run(rate):
    join()


def main():
    run(0.1)


def _mp_fn(index):
    print("x:")
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
