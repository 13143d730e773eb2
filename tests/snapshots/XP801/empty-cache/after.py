import gc


def main():
    gc.collect()
