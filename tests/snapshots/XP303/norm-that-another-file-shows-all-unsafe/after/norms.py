def clip(parameters, norm_type=2):
    total_norm = 0
    for p in parameters:
        total_norm += p.grad.data.norm(norm_type) ** norm_type
    total_norm = total_norm ** (1. / norm_type)
    return total_norm.clone()
