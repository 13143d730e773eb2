print("no scaler")
