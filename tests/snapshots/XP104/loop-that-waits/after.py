print("there")
