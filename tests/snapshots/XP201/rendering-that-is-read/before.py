import torch


def render(pose, network, chunk):
    rays = make_rays(pose)
    parts = []
    for i in range(0, rays.shape[0], chunk):
        parts.append(network(rays[i : i + chunk]))
    return combine(parts)


def render_path(poses, network):
    images, depths = [], []
    for pose in poses:
        image, depth = render(pose, network, 1024)
        images.append(image.cpu().numpy())
        depths.append(depth.detach().cpu().numpy())
    return images, depths


def main(poses, network):
    with torch.no_grad():
        return render_path(poses, network)
