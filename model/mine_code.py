"""Pairs from source files: comment -> code, and questions about a file -> a window of it."""
import ast
import re
import warnings
from dataclasses import dataclass, field

from sentences import first_sentence, is_query

warnings.filterwarnings("ignore")
LONGEST_FILE = 1_500_000
LONGEST_BODY = 45
WINDOW = 1000
LANGUAGES = {
    "py": "py", "rs": "rs", "go": "go", "java": "java", "kt": "java", "scala": "java", "cs": "cs",
    "swift": "rs", "js": "js", "mjs": "js", "ts": "js", "tsx": "js", "jsx": "js", "php": "php",
    "rb": "rb", "lua": "lua", "h": "c", "hh": "c", "hpp": "c", "hxx": "c", "c": "c", "cc": "c",
    "cpp": "c", "cxx": "c", "m": "c", "mm": "c", "erl": "erl",
}


@dataclass
class Definition:
    name: str
    """First sentence of its comment, empty without one."""
    summary: str
    """What the comment says after that."""
    rest: str
    code: str
    line: int


@dataclass
class Source:
    path: str
    language: str
    summary: str = ""
    definitions: list = field(default_factory=list)
    lines: list = field(default_factory=list)


def language_of(path):
    return LANGUAGES.get(path.rsplit(".", 1)[-1].lower())


def read_source(path, text):
    language = language_of(path)
    source = Source(path, language, lines=text.split("\n"))
    if len(text) > LONGEST_FILE:
        return source
    if language == "py":
        read_python(text, source)
    else:
        read_commented(text, source)
    return source


def read_python(text, source):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    source.summary = summary_of(ast.get_docstring(tree) or "")
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            doc = ast.get_docstring(node) or ""
            code = python_code(node, source.lines, bool(doc))
            source.definitions.append(definition(node.name, doc, code, node.lineno - 1))


def python_code(node, lines, has_doc):
    """The definition without its docstring."""
    start, end = node.lineno - 1, node.end_lineno
    if not has_doc:
        return "\n".join(lines[start:min(end, start + LONGEST_BODY)])
    first, after = node.body[0].lineno - 1, node.body[0].end_lineno
    return "\n".join(lines[start:first] + lines[after:min(end, after + LONGEST_BODY)])


def definition(name, doc, code, line):
    summary = summary_of(doc)
    rest = doc.strip()[len(summary):].strip() if summary else ""
    return Definition(name, summary, rest, code, line)


def summary_of(doc):
    sentence = first_sentence(doc)
    return sentence if is_query(sentence) else ""


BLOCK = r"/\*\*(?:.*?)\*/[ \t]*\n"
COMMENTS = {
    "slashes": re.compile(r"(?:^[ \t]*//[^\n]*\n)+", re.M),
    "docs": re.compile(BLOCK + r"|(?:^[ \t]*//[/!][^\n]*\n)+", re.S | re.M),
    "both": re.compile(BLOCK + r"|(?:^[ \t]*//[^\n]*\n)+", re.S | re.M),
    "block": re.compile(BLOCK, re.S),
    "hashes": re.compile(r"(?:^[ \t]*#(?!!)[^\n]*\n)+", re.M),
    "dashes": re.compile(r"(?:^[ \t]*--[^\n]*\n)+", re.M),
    "percents": re.compile(r"(?:^[ \t]*%[^\n]*\n)+", re.M),
}
COMMENT_OF = {"rs": "docs", "cs": "docs", "go": "slashes", "java": "block", "js": "block",
              "php": "block", "c": "both", "rb": "hashes", "lua": "dashes", "erl": "percents"}
MARKER = re.compile(r"^[ \t]*(/\*\*+|\*+/|\*(?!/)|//[/!]?|#+|--+\[*|%+)[ \t]?", re.M)
DOC_END = re.compile(
    r"^\s*([@\\](?:param|return|throws|see|since|type|example|link|access|var|deprecated|tparam)|"
    r"# (?:Examples?|Panics|Errors|Safety)|Examples?:|Parameters|- Parameter|call-seq|<param)",
    re.M)
ATTRIBUTE = re.compile(r"[ \t]*(#!?\[[^\n]*\]|@\w+(\([^\n]*\))?|\[[^\n]*\])[ \t]*\n")
NOT_CODE = ("//", "/*", "*", "#include", "#if", "#def", "#end", "import ", "package ", "use ", "}")
NAME = re.compile(r"[A-Za-z_$][\w$]*")
KEYWORDS = set("""public private protected internal static final abstract class interface enum
 struct fn pub func fun def function const let var val export default async void int bool boolean
 string unsafe extern impl trait type mod self new virtual inline unsigned long char double float
 module override template typename constexpr explicit native synchronized crate get set return
 local open data sealed companion object suspend extension protocol namespace using""".split())


def read_commented(text, source):
    pattern = COMMENTS[COMMENT_OF[source.language]]
    for match in pattern.finditer(text):
        doc = clean_comment(match[0])
        if not source.summary and match.start() < 4000:
            source.summary = summary_of(doc)
        position = after_attributes(text, match.end())
        line = text[position:position + 300].split("\n")[0]
        if not line.strip() or line.lstrip().startswith(NOT_CODE):
            continue
        names = [w for w in NAME.findall(line.split("(")[0]) if w not in KEYWORDS]
        at = text.count("\n", 0, position) if len(source.definitions) < 400 else 0
        code = block(text, position, source.language)
        source.definitions.append(definition(names[-1] if names else "", doc, code, at))


def clean_comment(comment):
    doc = re.sub(r"\*/\s*$", "", MARKER.sub("", comment))
    return DOC_END.split(doc, maxsplit=1)[0]


def after_attributes(text, position):
    while attribute := ATTRIBUTE.match(text, position):
        position = attribute.end()
    return position


ENDED_BY_WORD = {"rb": "end", "lua": "end"}


def block(text, position, language):
    """The lines of a definition: to the brace that closes it, or to its `end`."""
    lines = text[position:position + 6000].split("\n")[:LONGEST_BODY]
    word = ENDED_BY_WORD.get(language)
    count = worded_block(lines, word) if word else braced_block(lines)
    return "\n".join(lines[:count])


def worded_block(lines, word):
    indent = len(lines[0]) - len(lines[0].lstrip())
    for index, line in enumerate(lines[1:], 1):
        if line.lstrip().startswith(word) and len(line) - len(line.lstrip()) <= indent:
            return index + 1
    return len(lines)


def braced_block(lines):
    depth, opened = 0, False
    for index, line in enumerate(lines):
        depth += line.count("{") - line.count("}")
        opened = opened or "{" in line
        ended = depth <= 0 if opened else line.rstrip().endswith((";", ".")) or not line.strip()
        if ended:
            return index + 1
    return len(lines)


def windows(source):
    """The file in pieces of about WINDOW characters, as an index without units cuts it."""
    pieces, piece, size = [], [], 0
    for line in source.lines[:4000]:
        piece.append(line[:300])
        size += len(line) + 1
        if size >= WINDOW:
            pieces.append("\n".join(piece))
            piece, size = [], 0
    if size > 200:
        pieces.append("\n".join(piece))
    return pieces
