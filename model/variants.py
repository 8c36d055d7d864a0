"""The same query as a question, as a noun phrase, as key words: how people ask, not how they comment."""
import re

STOP = set("a an the of to for from in on at by with and or if is are be that this these it its as "
           "into given which when will can may used using".split())
VERB = re.compile(r"^(returns?|gets?|creates?|sets?|checks?|adds?|removes?|parses?|converts?|computes?|"
                  r"writes?|reads?|loads?|builds?|finds?|makes?|runs?|updates?|generates?|handles?|"
                  r"calculates?|initiali[sz]es?|deletes?|opens?|sends?|tests?|applies|apply|performs?|"
                  r"determines?|registers?|validates?|represents?|provides?|defines?)\s+", re.I)
ARTICLE = re.compile(r"^(an?|the|whether|if|this|all)\s+", re.I)


def question(query):
    verb = VERB.match(query)
    if not verb:
        return "how does " + query + " work" if len(query.split()) < 6 else query
    return f"how to {singular(verb[1].lower())} {query[verb.end():]}"


def singular(verb):
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-1] if verb.endswith("s") else verb


def noun_phrase(query):
    """`Returns the number of open files.` -> `number of open files`, at most eight words."""
    rest = VERB.sub("", query)
    return " ".join(ARTICLE.sub("", rest).split()[:8])


def key_words(query):
    return " ".join([w for w in query.split() if w.lower() not in STOP][:6])


LANGUAGES = {"py": "python", "rs": "rust", "go": "go", "java": "java", "js": "javascript",
             "php": "php", "rb": "ruby", "c": "c", "cs": "c sharp", "lua": "lua", "erl": "erlang"}


def with_language(kind, query, chance):
    """One query in eight about code says in which language, before it or after it."""
    language = LANGUAGES.get(kind)
    if language is None or chance.random() >= 0.125:
        return query
    return f"{query} in {language}" if chance.random() < 0.5 else f"{language} {query}"


def varied(query, chance):
    """The query itself about half of the time."""
    draw = chance.random()
    if draw < 0.12:
        return question(query)
    if draw < 0.27:
        return noun_phrase(query)
    if draw < 0.42:
        return key_words(query)
    return query
