def logged(batches, every):
    for number, batch in enumerate(batches):
        if number % every == 0:
            print(number)
        yield batch
