"""Guesses words as somebody would who knows the list."""

import re
from collections import Counter


class Guesser:
    def __init__(self, words):
        self.words = words

    def letter(self, shown, tried):
        """The letter that most of the words have that fit what is shown, `_ A _ _`."""
        letters = shown.lower().split()
        wrong = set(tried) - set(letters)
        form = re.compile("".join("[^" + "".join(tried) + "_]" if each == "_" and tried else
                                  "." if each == "_" else each for each in letters) + "$")
        fitting = [word for word in self.words if form.match(word) and not wrong & set(word)]
        counts = Counter(letter for word in fitting or self.words for letter in set(word) if letter not in tried)
        return max(sorted(counts), key=lambda letter: counts[letter])


def built_in(source):
    """The words in the game's own source."""
    return re.findall(r'^            \("([a-z]+)", "', source.read_text(), re.M)


def of_pack(folder):
    return [line.split("\t")[0] for line in (folder / "words.txt").read_text().splitlines()]
