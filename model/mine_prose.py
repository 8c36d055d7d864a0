"""Pairs from documentation: heading -> section, first sentence -> rest, term -> gloss."""
import html
import re

from sentences import is_query

LONGEST_SECTION = 5000
LONGEST_PAGE = 1_500_000
GENERAL = re.compile(
    r"^(table of contents|contents|index|see also|copyright|license|navigation|abstract|"
    r"parameters?|returns?|examples?|notes?|references|description|synopsis|author|bugs|name|"
    r"options|quick search|previous topic|next topic|this page|related topics|changelog|"
    r"introduction|overview|usage|installation|summary|details|value|arguments|authors?|source|"
    r"warning|licensing.*|install|api|tests?|contributing|support|features|requirements)$", re.I)
NUMBERING = re.compile(r"^[\dA-Z]{0,3}(\.\d+)*\.?\s+|[¶#]")
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z])")
TAG = re.compile(r"<[^>]+>")
HIDDEN = re.compile(r"<(script|style|nav)\b.*?</\1>", re.S | re.I)
HTML_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.S | re.I)
HTML_HEADING = re.compile(r"<(h[1-6]|dt)\b[^>]*>(.*?)</\1>", re.S | re.I)
HEADING = re.compile(
    r"^(#{1,5}) +(.+?)#*\s*$|^([^\n]{3,100})\n([=\-~^\"'`+*]{4,})\s*$", re.M)
DIRECTIVE = re.compile(r"\.\. \w+::|:\w+:`|[`*|]|!?\[([^\]]*)\]\([^)]*\)|<[^>]+>")


def pairs_of(path, text):
    """(kind, query, passage) of one documentation file."""
    path = path.lower()
    if ".dict" in path:
        return dictionary(path, text)
    if "/man/man" in path:
        return manual(text)
    return hypertext(text) if re.search(r"\.x?html?(\.gz)?$", path) else marked(text)


def squeeze(text):
    return re.sub(r"\s+", " ", text).strip()


def section(title, heading, body):
    """Pairs of one section. A heading as general as `Usage` says nothing without its title."""
    heading = NUMBERING.sub("", heading).strip(" .:*=-")
    body = squeeze(body)
    if len(body) < 120:
        return
    if not GENERAL.match(heading) and 4 <= len(heading) < 120:
        yield from headed(title, heading, body)
    elif title and is_query(f"{title} {heading}", 2):
        yield "heading", f"{title} {heading}".lower(), body[:1600]
    split = SENTENCE_END.split(body, maxsplit=1)
    if len(split) == 2 and 5 <= len(split[0].split()) <= 40 and len(split[1]) > 120:
        if is_query(split[0]):
            yield "sentence", split[0], split[1][:1200]


def headed(title, heading, body):
    query = heading
    if len(heading.split()) <= 2 and title and title.lower() not in heading.lower():
        query = f"{title} {heading}"
    if is_query(query, 1):
        yield "heading", query[:160], body[:1600]


def untag(text):
    return squeeze(html.unescape(TAG.sub(" ", text)))


def hypertext(text):
    text = HIDDEN.sub(" ", text[:LONGEST_PAGE])
    found = HTML_TITLE.search(text)
    title = re.split(r" [-—–|:] | &#8212; | &mdash; ", untag(found[1]) if found else "")[0][:80]
    headings = list(HTML_HEADING.finditer(text))[:400]
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends):
        body = text[heading.end():min(end, heading.end() + 6000)]
        yield from section(title, untag(heading[2])[:200], untag(body))


def marked(text):
    text = text[:400_000]
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    title = ""
    for heading, end in zip(headings, ends):
        words = plain(heading[2] or heading[3] or "").strip()
        title = title or words[:80]
        body = text[heading.end():min(end, heading.end() + LONGEST_SECTION)]
        yield from section(title, words, plain(body))


def plain(text):
    return DIRECTIVE.sub(lambda match: match[1] or " ", text)


ROFF = [
    (re.compile(r"^[.']\\\".*$", re.M), ""),
    (re.compile(r"^\.(TH|so|de|ie|el|if|nr|ds|sp|in|nf|fi|ft|ad|hy|RS|RE|PD|na|ta|ne|br|PP|P|LP|"
                r"IP|HP|TP|ll)\b.*$", re.M), ""),
    (re.compile(r"\\f[BIRPC]|\\f\(..|\\f\[\w*\]|\\s[-+]?\d|\\[&|^]"), ""),
    (re.compile(r"\\-"), "-"),
    (re.compile(r"\\\(..|\\\[\w+\]|\\\*\(..|\\e"), " "),
    (re.compile(r"^\.(B|I|BR|IR|RB|BI|IB|RI|Nm|Nd|Ar|Fl|Xr|Dv|Li|Pa|SM|Em|Cm|It|Op)\s+", re.M), ""),
    (re.compile(r"^\.\w+.*$", re.M), ""),
]


def unroff(text):
    for pattern, plain_text in ROFF:
        text = pattern.sub(plain_text, text)
    return squeeze(text)


def manual(text):
    pieces = re.split(r"^\.S[Hh]\s+\"?([^\"\n]+)\"?\s*$", text, flags=re.M)
    sections = {name.strip().upper(): unroff(body)
                for name, body in zip(pieces[1::2], pieces[2::2])}
    name, _, purpose = sections.get("NAME", "").partition(" - ")
    if not purpose or "DESCRIPTION" not in sections:
        return
    if is_query(purpose, 2):
        yield "manual", purpose, f"{sections.get('SYNOPSIS', '')[:200]} {sections['DESCRIPTION'][:1600]}"
    for heading, body in sections.items():
        yield from section(purpose[:80], heading.lower(), body[:3000])


def dictionary(path, text):
    """WordNet's senses with their synonyms; other dictionaries' terms with their texts."""
    for entry in re.split(r"\n(?=\S)", text):
        term, _, body = entry.partition("\n")
        term = re.sub(r"[:\\].*", "", term).strip()
        if "wn" in path.rsplit("/", 1)[-1]:
            yield from senses(term, body)
        elif 2 < len(term) < 60 and len(body) > 40:
            text = re.sub(r"[{}\[\]]|<[^>]*>", " ", body)
            yield "gloss", term, squeeze(text)[:900]


def senses(term, body):
    for sense in re.split(r"\s(?=\d+: )|\n\s+(?:n|v|adj|adv) ", body):
        sense = squeeze(sense)
        synonyms = re.findall(r"\{([^}]*)\}", sense)
        gloss = re.split(r"\[syn|\[ant", re.sub(r"^\d+: ", "", sense))[0].strip()
        if len(gloss) > 25:
            yield "gloss", " ".join([term] + synonyms[:3]), " ".join([gloss] + synonyms[3:])
