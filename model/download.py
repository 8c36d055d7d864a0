"""Fetches the listed packages with each registry's own client. Packages already there are kept.

usage: download.py DATA [REGISTRY ...]   (pypi npm debian crates; all by default)
"""
import pathlib
import subprocess
import sys

LISTS = pathlib.Path(__file__).parent / "lists"
LARGEST_DEBIAN = 120_000_000
BATCH = 12
PIP = ["pip", "download", "-q", "--no-deps", "--only-binary", ":all:",
       "--disable-pip-version-check", "-d", "."]
MACOS = ["--platform", "macosx_11_0_arm64", "--platform", "macosx_12_0_arm64"]
CARGO_TOML = """[package]
name = "sources"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
"""


def listed(registry):
    return (LISTS / f"{registry}.txt").read_text().split()


def run(command, folder, seconds=120):
    """Whether the command succeeded; one package that cannot be had does not stop the rest."""
    try:
        done = subprocess.run(command, cwd=folder, timeout=seconds, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        print("timeout:", *command[-1:], flush=True)
        return False
    if done.returncode != 0:
        print("failed:", command[-1], done.stderr.strip()[-200:].replace("\n", " "), flush=True)
    return done.returncode == 0


def fetch_batches(list_name, folder, command):
    """Asks a client for several packages at once, and one by one where that fails.

    What was asked for is noted, so that a second run skips it."""
    asked = folder / "asked.txt"
    known = set(asked.read_text().split()) if asked.exists() else set()
    names = [name for name in listed(list_name) if name not in known]
    for start in range(0, len(names), BATCH):
        batch = names[start:start + BATCH]
        if not run(command + batch, folder, 300):
            for name in batch:
                run(command + [name], folder)
        with asked.open("a") as file:
            file.write("\n".join(batch) + "\n")


def fetch_pypi(folder):
    """Of some packages the wheel for macOS: that for Linux is ten times as large."""
    fetch_batches("pypi", folder, PIP)
    fetch_batches("pypi-macos", folder, PIP + MACOS)


def fetch_npm(folder):
    fetch_batches("npm", folder, ["npm", "pack", "--silent", "--ignore-scripts"])


def debian_sizes(names):
    """Name -> bytes of the packages that the archive has; apt-cache leaves out unknown names."""
    shown = subprocess.run(["apt-cache", "show", "--no-all-versions", *names],
                           capture_output=True, text=True).stdout
    sizes, name = {}, None
    for line in shown.splitlines():
        if line.startswith("Package: "):
            name = line[9:]
        elif line.startswith("Size: "):
            sizes.setdefault(name, int(line[6:]))
    return sizes


def fetch_debian(folder):
    sizes = debian_sizes(listed("debian"))
    for name, size in sizes.items():
        if size <= LARGEST_DEBIAN and not any(folder.glob(f"{name}_*.deb")):
            run(["apt-get", "download", "-q", name], folder, 300)


def fetch_crates(folder):
    """Cargo resolves all listed crates together and brings what they depend on, too."""
    lines = [f'{name} = "*"' for name in listed("crates")]
    (folder / "Cargo.toml").write_text(CARGO_TOML + "\n".join(lines) + "\n")
    (folder / "lib.rs").touch()
    run(["cargo", "vendor", "--versioned-dirs", "-q", "vendor"], folder, 1200)


FETCH = {"pypi": fetch_pypi, "npm": fetch_npm, "debian": fetch_debian, "crates": fetch_crates}


def main():
    data = pathlib.Path(sys.argv[1])
    for registry in sys.argv[2:] or FETCH:
        folder = data / registry
        folder.mkdir(parents=True, exist_ok=True)
        FETCH[registry](folder)
        print(registry, "done", flush=True)


if __name__ == "__main__":
    main()
