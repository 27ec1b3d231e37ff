"""The friendly things that people can say at a table without chat.

Who hears them is the session's business.
"""

from typing import Final

PHRASES: Final = {
    "hello": ("Hello!", "Bonjour !"),
    "good-luck": ("Good luck!", "Bonne chance !"),
    "well-played": ("Well played!", "Bien joué !"),
    "thanks": ("Thank you!", "Merci !"),
    "sorry": ("Sorry!", "Pardon !"),
    "thinking": ("Let me think…", "Laisse-moi réfléchir…"),
    "your-turn": ("It is your turn.", "C'est ton tour."),
    "lucky": ("What luck!", "Quelle chance !"),
    "unlucky": ("Bad luck!", "Pas de chance !"),
    "close": ("That was close!", "C'était serré !"),
    "again": ("Another one?", "On en refait une ?"),
    "back-soon": ("I will be right back.", "Je reviens tout de suite."),
    "goodbye": ("Goodbye!", "Au revoir !"),
}
