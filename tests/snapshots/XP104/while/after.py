
while True:
    break
