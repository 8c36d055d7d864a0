"""What must never be trained on: the benchmark's repositories, under the names packages give them."""
import re

PACKAGES = set("""nvm libuv fmt fmtlib messagepack ecto plug cobra aeson xmonad gson redux kotlinx
 lazy aiohttp fastapi model2vec model2vec-rs requests rails axum axum-core tokio tokio-macros
 tokio-util alamofire trpc zod zls bats curl abseil dapper phoenix chi gin pandoc commons-lang
 express exposed ktor telescope monolog click flask pydantic pydantic-core rack sinatra serde
 serde_core serde_derive cats vapor vitest clap-zig httpx httpx2 starlette axios guzzle
 nlohmann-json circe http4s snapkit redis laravel semble""".split())
DEBIAN = re.compile(r"^ruby-(active|action|rack|sinatra|rails)|guzzle|monolog|commons-lang|absl")
PATHS = re.compile(
    r"/(nvm|libuv|fmtlib|ecto|cobra|aeson|xmonad|gson|redux|aiohttp|fastapi|model2vec|requests|"
    r"rails|axum|tokio|trpc|zod|bats-core|curl|abseil|absl|monolog|click|flask|pydantic|"
    r"pydantic_core|rack|sinatra|serde|vitest|httpx|starlette|axios|guzzle|guzzlehttp|redis|"
    r"gin-gonic|go-chi|spf13/cobra|illuminate|pandoc|express|hiredis|nlohmann)(/|-\d|$)", re.I)
PYTHON_LIBRARY = re.compile(r"/(typeshed/stdlib|lib/python3?[\d.]*/(?!site-packages|dist-packages))|"
                            r"/(cpython|Lib)/")


def is_excluded(package):
    name = package.lower()
    return name in PACKAGES or name.startswith("trpc-") or bool(DEBIAN.search(name))


def is_excluded_path(path):
    path = "/" + path
    return bool(PATHS.search(path) or PYTHON_LIBRARY.search(path))
