"""First sentences, and which of them can stand as a query."""
import re

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])|\n\s*\n")
MARKUP = re.compile(r"\{@\w+\s+([^}]*)\}|<[^<>\n]{1,80}>")
ROLE = re.compile(r":\w+:`([^`]*)`")
CHAFF = re.compile(
    r"copyright|licen[sc]e|todo|fixme|deprecated|auto-?generated|do not edit|@internal|eslint|"
    r"noqa|pragma|SPDX|see also|inheritdoc|-\*-|all rights", re.I)
OPENINGS = (">>>", "@", ":", "-", "*", "+", "==", "http", "[", "|", "$", "~~")


def first_sentence(text):
    text = MARKUP.sub(lambda match: match[1] or " ", text.strip()[:2000])
    sentence = SENTENCE.split(ROLE.sub(r"\1", text), maxsplit=1)[0]
    return re.sub(r"\s+", " ", sentence).strip()


def is_query(sentence, least=3):
    """Whether a sentence is plain English of the length of a question."""
    size = len(sentence)
    if not least <= len(sentence.split()) <= 60 or size > 400:
        return False
    if sentence.startswith(OPENINGS) or CHAFF.search(sentence):
        return False
    letters = sum(c.isalpha() or c == " " for c in sentence)
    return sum(c.isascii() for c in sentence) > 0.9 * size and letters > 0.6 * size
