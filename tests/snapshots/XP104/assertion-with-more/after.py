def main(a):
    assert a, "both are needed"
