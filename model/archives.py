"""Walks downloaded packages: name, version, licence and the files worth reading."""
import gzip
import io
import os
import pathlib
import re
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass

import licences

LARGEST_FILE = 3_000_000
LARGEST_DICTIONARY = 40_000_000
MOST_FILES = 12_000


@dataclass
class Package:
    registry: str
    name: str
    version: str
    licence: str
    permissive: bool
    """(path, text) of each file, read when asked for."""
    files: object


def packages(folder, registry):
    return OPENERS[registry](pathlib.Path(folder))


def decode(path, data):
    if path.endswith((".gz", ".dz")):
        data = gzip.decompress(data)
    return data.decode("utf8", "replace")


def wheels(folder):
    for path in sorted(folder.glob("*.whl")):
        name, version = path.name.split("-")[:2]
        with zipfile.ZipFile(path) as wheel:
            licence = wheel_licence(wheel)
            yield Package("pypi", name.lower().replace("_", "-"), version, licence,
                          licences.is_permissive(licence), zip_files(wheel))


def wheel_licence(wheel):
    names = wheel.namelist()
    metadata = [n for n in names if n.endswith(".dist-info/METADATA")]
    texts = [n for n in names if ".dist-info/" in n and re.search(r"licen[sc]e|copying", n, re.I)]
    if not metadata:
        return licences.UNKNOWN
    text = wheel.read(texts[0]).decode("utf8", "replace") if texts else ""
    return licences.of_wheel(wheel.read(metadata[0]).decode("utf8", "replace"), text)


def zip_files(archive):
    for info in sorted(archive.infolist(), key=lambda info: info.filename)[:MOST_FILES * 3]:
        if wanted(info.filename, info.file_size):
            yield info.filename, decode(info.filename, archive.read(info))


def tarballs(folder):
    for path in sorted(folder.glob("*.tgz")):
        with tarfile.open(path) as archive:
            members = {m.name: m for m in archive.getmembers() if m.isfile()}
            manifest = [n for n in members if n.count("/") == 1 and n.endswith("/package.json")]
            licence = licences.UNKNOWN
            if manifest:
                licence = licences.of_npm(archive.extractfile(members[manifest[0]]).read())
            name, version = re.fullmatch(r"(.+?)-(\d.*)\.tgz", path.name).groups()
            yield Package("npm", name, version, licence, licences.is_permissive(licence),
                          tar_files(archive, members.values()))


def tar_files(archive, members):
    for member in list(members)[:MOST_FILES]:
        if member.isfile() and wanted(member.name, member.size):
            yield member.name, decode(member.name, archive.extractfile(member).read())


def debs(folder):
    for path in sorted(folder.glob("*.deb")):
        name, version = path.stem.split("_")[:2]
        data = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members = [m for m in archive.getmembers() if m.isfile()]
            licence = debian_licence(archive, members, name)
            yield Package("debian", name, version.replace("%3a", ":"), licence,
                          licences.is_permissive_debian(licence), tar_files(archive, members))


def debian_licence(archive, members, name):
    for member in members:
        if re.fullmatch(rf"\./usr/share/doc/{re.escape(name)}/copyright(\.gz)?", member.name):
            text = decode(member.name, archive.extractfile(member).read())
            return licences.of_debian(text)
    return licences.UNKNOWN


def crates(folder):
    for manifest in sorted(folder.glob("vendor/*/Cargo.toml")):
        try:
            licence = licences.of_crate(manifest.read_text())
        except ValueError:
            licence = licences.UNKNOWN
        name, version = re.fullmatch(r"(.+?)-(\d+\..*)", manifest.parent.name).groups()
        yield Package("crates", name, version, licence, licences.is_permissive(licence),
                      folder_files(manifest.parent))


def folder_files(folder):
    """Only Rust and Markdown: C sources bundled with a crate have licences of their own."""
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = pathlib.Path(root, name)
            shown = str(path.relative_to(folder.parent))
            if name.endswith((".rs", ".md")) and wanted(shown, path.stat().st_size):
                yield shown, path.read_text("utf8", "replace")


READ = re.compile(
    r"\.(py|rs|go|java|kt|swift|m|mm|cs|scala|js|mjs|ts|tsx|jsx|php|rb|lua|erl|ex|h|hh|hpp|hxx|c|"
    r"cc|cpp|cxx|html?|xhtml|md|markdown|rst)(\.gz)?$|/doc/.*\.txt(\.gz)?$|/man/man.*\.gz$|"
    r"\.dict(\.dz)?$", re.I)
SKIP = re.compile(
    r"(^|/)(tests?|testing|__tests__|specs?|fixtures?|vendor|_vendor|node_modules|third_party|"
    r"locales?|migrations|examples?/data)(/|$)|test_[^/]*$|_test\.go$|[.-]min\.js$|\.d\.ts\.map$|"
    r"(^|/)[^/]*(change|news|history|release|licen|copying|authors|contribut)[^/]*$", re.I)
DICTIONARY = re.compile(r"\.dict(\.dz)?$")


def wanted(path, size):
    if not READ.search(path) or SKIP.search(path):
        return False
    return size <= (LARGEST_DICTIONARY if DICTIONARY.search(path) else LARGEST_FILE)


OPENERS = {"pypi": wheels, "npm": tarballs, "debian": debs, "crates": crates}
