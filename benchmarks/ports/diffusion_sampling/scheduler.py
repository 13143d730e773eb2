"""The Euler scheduler for discrete noise levels (Karras et al. 2022, algorithm 2)."""

import numpy as np
import torch


class EulerDiscreteScheduler:
    def __init__(self, num_train_timesteps=1000, beta_start=0.0001, beta_end=0.02):
        self.num_train_timesteps = num_train_timesteps
        self.betas = torch.linspace(beta_start, beta_end, num_train_timesteps, dtype=torch.float32)
        self.alphas = 1.0 - self.betas
        self.alphas_cumprod = torch.cumprod(self.alphas, dim=0)

        sigmas = ((1 - self.alphas_cumprod) / self.alphas_cumprod) ** 0.5
        self.sigmas = torch.cat([sigmas.flip(0), torch.zeros(1)])
        self.timesteps = torch.arange(num_train_timesteps - 1, -1, -1, dtype=torch.float32)

        # standard deviation of the initial noise distribution
        self.init_noise_sigma = self.sigmas.max()

    def set_timesteps(self, num_inference_steps):
        """Choose the noise levels. The schedule stays on the host, where it can be looked up without a wait."""
        timesteps = np.linspace(0, self.num_train_timesteps - 1, num_inference_steps)[::-1].copy()
        sigmas = (((1 - self.alphas_cumprod) / self.alphas_cumprod) ** 0.5).numpy()
        sigmas = np.interp(timesteps, np.arange(0, len(sigmas)), sigmas)
        sigmas = np.concatenate([sigmas, [0.0]]).astype(np.float32)
        self.sigmas = torch.from_numpy(sigmas)
        self.timesteps = torch.from_numpy(timesteps.astype(np.float32))

    def scale_model_input(self, sample, timestep):
        """Scale the noisy sample to the variance that the model was trained on."""
        step_index = (self.timesteps == timestep).nonzero().item()
        sigma = self.sigmas[step_index]
        return sample / ((sigma**2 + 1) ** 0.5)

    def step(self, model_output, timestep, sample):
        """The sample at the next timestep, by Euler's method."""
        step_index = (self.timesteps == timestep).nonzero().item()
        sigma = self.sigmas[step_index]

        # 1. compute the predicted original sample (x_0) from sigma-scaled predicted noise
        pred_original_sample = sample - sigma * model_output

        # 2. convert to an ODE derivative
        derivative = (sample - pred_original_sample) / sigma
        dt = self.sigmas[step_index + 1] - sigma
        return sample + derivative * dt

    def add_noise(self, original_samples, noise, timesteps):
        """Noisy samples as the model is trained on, with variance one."""
        alphas_cumprod = self.alphas_cumprod.to(original_samples.device)[timesteps].view(-1, 1, 1, 1)
        return alphas_cumprod**0.5 * original_samples + (1 - alphas_cumprod) ** 0.5 * noise
