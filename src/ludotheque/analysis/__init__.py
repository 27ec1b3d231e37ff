"""What can be learnt from a match: a review of its record, with luck told apart from skill."""

from ludotheque.analysis.review import Foreseeing, Moment, Review, Sum, moments, review

__all__ = ["Foreseeing", "Moment", "Review", "Sum", "moments", "review"]
