"""A vocoder in HiFi-GAN's manner with random weights: mel frames in, samples out."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphplan_torch import Bucket, Shape, Walk

MELS = 80


class Residual(nn.Module):
    def __init__(self, channels: int, kernel: int) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(
            nn.Conv1d(channels, channels, kernel, padding=(kernel - 1) * d // 2, dilation=d)
            for d in (1, 3, 5)
        )

    def forward(self, x: Tensor) -> Tensor:
        for convolution in self.convolutions:
            x = x + convolution(F.leaky_relu(x, 0.1))
        return x


class Vocoder(nn.Module):
    """Upsamples by 256: 8, 8, 2, 2; three residual stacks after each step."""

    def __init__(self, channels: int = 512, strides: Sequence[int] = (8, 8, 2, 2)) -> None:
        super().__init__()
        self.first = nn.Conv1d(MELS, channels, 7, padding=3)
        self.ups, self.stacks = nn.ModuleList(), nn.ModuleList()
        for stride in strides:
            self.ups.append(nn.ConvTranspose1d(channels, channels // 2, 2 * stride, stride, stride // 2))
            channels //= 2
            self.stacks.append(nn.ModuleList(Residual(channels, kernel) for kernel in (3, 7, 11)))
        self.last = nn.Conv1d(channels, 1, 7, padding=3)

    def forward(self, mel: Tensor) -> Tensor:
        x = self.first(mel)
        for up, stacks in zip(self.ups, self.stacks, strict=True):
            x = up(F.leaky_relu(x, 0.1))
            x = sum(stack(x) for stack in stacks) / len(stacks)
        return torch.tanh(self.last(F.leaky_relu(x)))


def nodes(buckets: Sequence[Bucket], device: str = "cuda") -> dict[str, dict[str, Walk]]:
    # some transposed convolutions add in any order: replay can then differ from eager in the last bit
    torch.backends.cudnn.deterministic = True
    torch.manual_seed(1)
    with torch.device(device):
        model = Vocoder().eval()

    def mel(shape: Shape) -> dict[str, Tensor]:
        return {"mel": torch.randn(shape.bs, MELS, shape.tokens // shape.bs, device=device)}

    return {"vocoder": {"vocode": Walk(model, mel)}}
