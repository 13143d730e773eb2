

def main():
    pass
