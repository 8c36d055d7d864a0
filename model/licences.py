"""Reads a package's licence from its own metadata and says whether we may learn from it."""
import json
import re
import tomllib

PERMISSIVE = re.compile(
    r"\b(MIT|MIT-0|Expat|X11|Apache|ASL|BSD|0BSD|ISC|ISCL|Zlib|libpng|Unlicense|CC0|PSF|"
    r"Python Software Foundation|Python-2|MPL-2|MPL-2\.0|MPL 2\.0|MPLv2|"
    r"Mozilla Public License 2|BSL-1|Boost|BlueOak|public[- ]domain|HPND|NCSA|PostgreSQL|WordNet3\.0|"
    r"Permission is hereby granted, free of charge|Permission to use, copy, modify|"
    r"Redistribution and use in source and binary forms)", re.I)
COPYLEFT = re.compile(
    r"GPL|GNU|Affero|EUPL|CeCILL|CC[- ]BY|Creative Commons Attribution|SSPL|BUSL|"
    r"Business Source|Commons Clause|Elastic|Proprietary|All rights reserved|Artistic|EPL|"
    r"Eclipse|CDDL|non-?commercial|MPL-1|see licen[sc]e in", re.I)
CHOICE = re.compile(r"\s+or\s+|/|\|", re.I)
UNKNOWN = "unknown"


def is_permissive(statement):
    """Of a choice (`MIT OR GPL-3.0`) one permissive alternative is enough; of a list all count."""
    return any(PERMISSIVE.search(part) and not COPYLEFT.search(part)
               for part in CHOICE.split(statement))


def of_wheel(metadata, licence_text):
    """The licence of a wheel's METADATA; of its licence file where that says nothing."""
    head = metadata.split("\n\n")[0]
    expression = re.search(r"^License-Expression: (.+)$", head, re.M)
    if expression:
        return expression[1].strip()
    classes = re.findall(r"^Classifier: License :: (?:OSI Approved :: )?(.+)$", head, re.M)
    classes = [name for name in classes if name != "OSI Approved"]
    if classes:
        return " AND ".join(classes)
    field = re.search(r"^License: (.+)$", head, re.M)
    if field and len(field[1]) < 120 and field[1].strip().upper() not in ("UNKNOWN", "LICENSE"):
        return field[1].strip()
    return of_text(licence_text)


def of_text(text):
    """Recognises the opening of the permissive licences; a text that also names a copyleft one
    stays unknown."""
    found = PERMISSIVE.search(text[:4000])
    return found[0] if found and not COPYLEFT.search(text[:600]) else UNKNOWN


def of_npm(package_json):
    value = json.loads(package_json)
    licence = value.get("license") or value.get("licenses") or UNKNOWN
    if isinstance(licence, list):
        return " AND ".join(map(name_of, licence)) or UNKNOWN
    return name_of(licence)


def name_of(licence):
    return str(licence.get("type", UNKNOWN)) if isinstance(licence, dict) else str(licence)


def of_crate(cargo_toml):
    return str(tomllib.loads(cargo_toml).get("package", {}).get("license", UNKNOWN))


def of_debian(copyright_file):
    """The licence of most files (`Files: *`), then those of the others but the packaging's own
    (`debian/*`, which is not in the package), joined by AND. The header may give one for the
    package as a whole (what it is linked with counts there); it stands among the others.

    A file that is not machine-readable is judged as a whole, so one mention of the GPL drops it."""
    if not re.match(r"\s*(#.*\n)*Format(-Specification)?:", copyright_file):
        if COPYLEFT.search(re.sub(r"All rights reserved", "", copyright_file, flags=re.I)):
            return UNKNOWN
        return of_text(copyright_file)
    main, others = [], set()
    for stanza in re.split(r"\n\s*\n", copyright_file):
        files = re.search(r"^Files:\s*((?:.|\n )*)", stanza, re.M)
        licence = re.search(r"^License:\s*(.+)$", stanza, re.M)
        if files and licence and not is_packaging(files[1]):
            name = licence[1].strip()
            main.append(name) if files[1].split()[:1] == ["*"] else others.add(name)
        elif licence and re.search(r"^Format(-Specification)?:", stanza, re.M):
            others.add(licence[1].strip())
    return " AND ".join((main or [UNKNOWN]) + sorted(others - set(main)))


def is_packaging(patterns):
    return all(pattern.startswith("debian/") for pattern in patterns.split())


PART_REFUSED = re.compile(r"GPL|GFDL|Affero|EUPL|CeCILL|CC[- ]BY[- ](SA|NC|ND)|SSPL|BUSL|"
                          r"proprietary|non-?commercial", re.I)


def is_permissive_debian(statement):
    """Most files must be under a known permissive licence, and no file under a copyleft one."""
    main, *others = statement.split(" AND ")
    return is_permissive(main) and not any(is_refused(other) for other in others)


def is_refused(part):
    return all(PART_REFUSED.search(choice) for choice in CHOICE.split(part))
