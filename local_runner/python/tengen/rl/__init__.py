"""Environments for reinforcement learning: many boards at once in numpy, PettingZoo and Gymnasium."""
