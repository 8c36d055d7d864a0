"""Text as the encoder reads it: identifier parts in lower case."""
import hashlib
import re

LOWER_UPPER = re.compile(r"([a-z0-9])([A-Z])")
ACRONYM = re.compile(r"([A-Z]+)([A-Z][a-z])")
PART = re.compile(r"[^\W\d_]+|\d+")


def parts(text):
    """`HTTPServer2 for_url` -> http server 2 for url; the same cut as kitfox_core::Text."""
    text = ACRONYM.sub(r"\1 \2", LOWER_UPPER.sub(r"\1 \2", text))
    return PART.findall(text.lower())


def normal(text):
    return " ".join(parts(text))


def stable_hash(text):
    """Python's own hash of a string changes from run to run."""
    digest = hashlib.blake2b(text.encode("utf8", "ignore"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
