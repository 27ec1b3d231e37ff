"""Batches of matches on an NVIDIA card. It needs the card and its driver, and neither a CUDA toolkit nor another package."""

from ludotheque.envs.gpu.arrays import DeviceArray
from ludotheque.envs.gpu.batch import GpuBatch

__all__ = ["DeviceArray", "GpuBatch"]
