def describe(brand):
    match brand:
        case "cuda":
            return "nvidia"
