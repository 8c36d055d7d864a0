"""Writes the list of packages that pairs were taken from, and of those refused.

usage: sources.py DATA OUT.tsv   (registry, package, version, licence, pairs or the refusal)
"""
import pathlib
import sys


def main():
    rows = []
    for path in sorted(pathlib.Path(sys.argv[1], "mined").glob("*.tsv")):
        for line in path.read_text().splitlines():
            if not line.endswith("\t0"):
                rows.append(f"{path.stem}\t{line}")
    header = "registry\tpackage\tversion\tlicence\tpairs\n"
    pathlib.Path(sys.argv[2]).write_text(header + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
