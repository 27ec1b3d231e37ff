"""How fast time passes: steps of the physics, samples of a hand."""

STEPS_PER_SECOND = 960
SAMPLES_PER_SECOND = 60
STEPS_PER_SAMPLE = STEPS_PER_SECOND // SAMPLES_PER_SECOND


def sample_time(sample: int) -> float:
    """When a sample of a hand is taken, in seconds with four decimals: the same number live, in texts and in replays."""
    return round(sample / SAMPLES_PER_SECOND, 4)
