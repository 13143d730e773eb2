import some_library


def helper(x):
    return some_library.measure(x)
