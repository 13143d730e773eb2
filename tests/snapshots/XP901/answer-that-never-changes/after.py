start()
launch = start
if ready:
    start()
print(f"{True}")
