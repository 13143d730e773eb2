def main(a, b):
    return (
        a  # the user wants it
        and b
    )
