while True:
    break
