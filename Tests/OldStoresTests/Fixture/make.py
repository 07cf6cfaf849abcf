#!/usr/bin/env python3
"""Makes OldStores.tar.gz and Expectations.txt with the program of a certain version.

usage: make.py PROGRAM EXTRAS

PROGRAM is `docversions` as built at commit 349ff13 (release), EXTRAS a program built of Extras.swift at the same
commit. Nothing else is needed but git. Runs once for each format of stores that users have: later programs must open
what this one has written, so the result is never made again with a newer program.

OldStores.tar.gz has the documents of three devices, `mira`, `tom` and `lena`, and `cloud`, through which the first two
exchange. Expectations.txt has a line for each version that a device lists:

  DEVICE TAB DOCUMENT TAB VERSION TAB KIND TAB FLAGS TAB SHA-256 OF THE CONTENTS TAB NAME TAB NOTE

and for each version that was removed and can be brought back, with the kind `removed`. The SHA-256 of a package is the
one of a listing of its members; see `digest`.
"""
import hashlib, json, os, shutil, subprocess, sys, tarfile, tempfile

program, extras = (os.path.abspath(path) for path in sys.argv[1:3])
here = os.path.dirname(os.path.abspath(__file__))
root = tempfile.mkdtemp(prefix="old-stores-")
minute = 0


def time():
    return f"2026-11-{20 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00Z"


def environment(device):
    return {
        "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TZ": "UTC",
        "DOCVERSIONS_AUTHOR": device.capitalize(), "DOCVERSIONS_DEVICE": device + "-laptop",
        "DOCVERSIONS_NOW": time(), "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }


def run(device, *arguments, codes=(0,), text=True):
    """Runs the program on a device, a minute after what came before."""
    global minute
    minute += 1
    done = subprocess.run(
        [program, *arguments], cwd=place(device), env=environment(device), capture_output=True, text=text,
        stdin=subprocess.DEVNULL)
    if done.returncode not in codes:
        sys.exit(f"{arguments} on {device}: {done.returncode} {done.stderr}")
    return done.stdout


def place(device, *names):
    return os.path.join(root, device, *names)


def write(device, document, contents, executable=False):
    """Writes a file as if at the minute that is now."""
    path = place(device, document)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(contents.encode() if isinstance(contents, str) else contents)
    if executable: os.chmod(path, 0o755)
    seconds = 1795132800 + minute * 60
    os.utime(path, (seconds, seconds))


def save(device, document, contents, note=None, **options):
    write(device, document, contents, **options)
    run(device, "save", document, *(["-m", note] if note else []))


def exchange(*devices):
    for device in devices: run(device, "exchange", "../cloud")


def store(device, document):
    return place(device, ".docversions/documents", document + ".git")


def versions(device, document):
    return json.loads(run(device, "log", document, "--json"))["versions"]


def text(words, count=9):
    return "".join(f"line {number}{' of ' + words if number == 1 else ''}\n" for number in range(1, count + 1))


def conflict(document, base, mira, tom):
    """Makes the devices disagree; Tom's version is the later one."""
    save("mira", document, base)
    exchange("mira", "tom")
    save("mira", document, mira)
    save("tom", document, tom)
    exchange("mira", "tom", "mira")


DEVICES = ("mira", "tom", "lena")
# Just long enough to be stored in chunks.
LONG = "".join(f"page {page}\n" + "a line of a long text\n" * 50 for page in range(1_000))
for device in DEVICES: os.makedirs(place(device))

# Types of documents, before there are any.
write("mira", "../Types.plist", """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>UTExportedTypeDeclarations</key><array><dict>
<key>UTTypeIdentifier</key><string>org.example.trip</string>
<key>UTTypeConformsTo</key><array><string>com.apple.package</string></array>
<key>UTTypeTagSpecification</key><dict><key>public.filename-extension</key><array><string>trip</string></array></dict>
</dict></array></dict></plist>
""")
run("mira", "types", "--add", "../Types.plist", ".")

# One device: saves, notes, a restore, an undo, a pin, removed and thinned versions.
for number in range(1, 6):
    save("mira", "plan.md", text("the plan") + f"edition {number}\n", f"edition {number}\n\nmore of it" if number % 2 else None)
run("mira", "restore", "plan.md", "~3")
run("mira", "undo", "plan.md")
ids = [version["id"] for version in versions("mira", "plan.md")]
run("mira", "pin", "plan.md", ids[-1])
run("mira", "remove", "plan.md", ids[-2])
for number in range(1, 9): save("mira", "thinned.md", f"edition {number}\n")
run("mira", "thin", "thinned.md", "--keep-last", "3")
save("mira", "unsaved.md", "as it was saved\n")
write("mira", "unsaved.md", "edited since\n")
save("mira", "empty.txt", "")

# Names: folders, one like a store, and signs that have several spellings.
save("mira", "notes/2026/november.md", "in a folder\n")
save("mira", "folder.git/readme.md", "in a folder that is named like a store\n")
save("mira", "Café “Zoë” #1.md", "precomposed\n")
save("mira", "Cafe\u0301.md", "decomposed\n")
save("mira", "old name.md", "before it was renamed\n")
run("mira", "rename", "old name.md", "new name.md")
save("mira", "new name.md", "after it was renamed\n")
run("mira", "rename", "new name.md", "newest name.md")
run("mira", "undo", "newest name.md")

# Enough documents for a cache of those that are in no conflict.
for number in range(1, 13): save("mira", f"many/{number}.md", f"document {number}\n")

# Deleted, and brought back.
save("mira", "gone.md", "deleted\n")
run("mira", "delete", "gone.md")
save("mira", "back.md", "deleted, and brought back\n")
run("mira", "delete", "back.md")
run("mira", "undo", "back.md")

# Packages.
def package(name, change=""):
    for page in (1, 2, 3): write("mira", f"{name}/pages/{page}.txt", text(f"page {page}"))
    write("mira", f"{name}/pages/1.txt", text("page 1" + change))
    write("mira", f"{name}/tools/pack.sh", "#!/bin/sh\n", executable=True)
    write("mira", f"{name}/.docversions-strange", "a name that stores use themselves\n")
    write("mira", f"{name}/.gitignore", "*\n")
    write("mira", f"{name}/bytes.bin", bytes(range(256)) * 4)
    os.makedirs(place("mira", name, "empty folder"), exist_ok=True)
    if not os.path.islink(place("mira", name, "cover")): os.symlink("pages/1.txt", place("mira", name, "cover"))
package("Walk.trip")
run("mira", "save", "Walk.trip")
package("Walk.trip", ", edited")
os.rename(place("mira", "Walk.trip/pages/3.txt"), place("mira", "Walk.trip/pages/three.txt"))
run("mira", "save", "Walk.trip")
os.remove(place("mira", "Walk.trip/pages/2.txt"))
run("mira", "save", "Walk.trip", "-m", "without page 2")
run("mira", "restore", "Walk.trip", "~1:pages/2.txt")
run("mira", "save", "Walk.trip", "-m", "page 2 is back")
write("mira", "Large.trip/data.csv", LONG)
write("mira", "Large.trip/readme.txt", "beside a large member\n")
run("mira", "save", "Large.trip")

# A large file, in chunks.
save("mira", "large.txt", LONG)
save("mira", "large.txt", LONG.replace("page 500\n", "page 500, edited\n"))

# So many saves that packs are brought together; and a store that was collected.
for number in range(1, 41): save("mira", "often.md", f"edition {number}\n")
for number in range(1, 11): save("mira", "collected.md", f"edition {number}\n")
run("mira", "collect", "collected.md")

# References that stock git has packed.
for number in range(1, 4): save("mira", "packed.md", f"edition {number}\n")
run("mira", "remove", "packed.md", versions("mira", "packed.md")[-1]["id"])
subprocess.run(["git", "pack-refs", "--all"], cwd=store("mira", "packed.md"), env=environment("mira"), check=True)

# What no command does: contents added, a discardable version, a copy in `checkouts`.
save("mira", "added.md", "first\n")
save("mira", "added.md", "second\n")
write("mira", "../contents.md", "added from elsewhere\n")
minute += 1
subprocess.run([extras, place("mira", "added.md"), place("contents.md")], env=environment("mira"), check=True)

# Two devices: conflicts that are open, and some resolved in every way.
base = text("both")
sides = (base, base.replace("line 2", "Mira’s line 2"), base.replace("line 8", "Tom’s line 8"))
conflict("conflict.md", *sides)
conflict("merged.md", *sides)
run("mira", "resolve", "--merge", "merged.md")
conflict("latest.md", *sides)
run("mira", "resolve", "--latest", "latest.md")
conflict("kept.md", *sides)
run("mira", "resolve", "--keep", "conflict/1", "kept.md")
conflict("marked.md", *sides)
run("mira", "mark-resolved", "marked.md", "conflict/1")
conflict("undone.md", *sides)
run("mira", "resolve", "--merge", "undone.md")
run("mira", "undo", "undone.md")
conflict("others removed.md", *sides)
run("mira", "remove", "others removed.md", "--others")
conflict("joined.md", sides[0], "the same on both\n", "the same on both\n")
conflict("edited there.md", *sides)
save("tom", "edited there.md", sides[2] + "one more line\n")
exchange("tom", "mira", "tom")
# Tom removes contents before Mira hears of them: she has the versions, but not what they hold.
save("tom", "from tom.md", "never on mira\n")
save("tom", "from tom.md", "removed too\n")
save("tom", "from tom.md", "on both\n")
for version in versions("tom", "from tom.md")[1:]: run("tom", "remove", "from tom.md", version["id"])
exchange("tom", "mira")
# A deletion against an edit.
save("mira", "deleted there.md", base)
exchange("mira", "tom")
run("tom", "delete", "deleted there.md")
save("mira", "deleted there.md", sides[1])
exchange("mira", "tom", "mira")

# Conflicted copies of a tool that syncs folders.
save("mira", "imported.md", base)
write("mira", "imported (conflicted copy of Tom).md", sides[2])
save("mira", "imported.md", sides[1])
run("mira", "import-copies", "imported.md", "imported (conflicted copy of Tom).md", "--base", "~1")

# A device that exchanges with none. Damage that was repaired: versions that are lost, what was taken out of use, and what was kept of it.
for number in range(1, 5): save("lena", "repaired.md", text("a repaired one") + f"edition {number}\n" * 50)
lost = versions("lena", "repaired.md")[2]["id"]
repaired = store("lena", "repaired.md")
subprocess.run(
    ["sh", "-ec", """mkdir packs; mv objects/pack/* packs
    for pack in packs/*.pack; do git unpack-objects -q <"$pack"; done
    rm -rf packs; chmod u+w objects/$1/$2; echo damaged >objects/$1/$2""", "sh", lost[:2], lost[2:]],
    cwd=repaired, env=environment("lena"), check=True)
run("lena", "doctor", "--repair", "repaired.md", codes=(0, 6))

# Caches, as long use leaves them.
run("mira", "conflicts")
exchange("mira", "tom", "mira", "tom")
subprocess.run(["sleep", "2.2"])
for device in ("mira", "tom"):
    run(device, "conflicts")
    exchange(device)
    for name in ("conflict.md", "merged.md"): run(device, "log", name)
for name in ("plan.md", "Walk.trip", "often.md", "large.txt"): run("mira", "log", name); run("mira", "status", name)


# Nothing of what stores may have is missing.
found = {name for folder, folders, names in os.walk(root) for name in folders + names}
expected = {
    "ledger", "lock", "published", "working-file", "lost-versions", "checkouts", "quarantine", "backup", "known-members",
    "known-chunks", "version-index", "change-counts", "quiet-documents", "quiet-exchanges", "packed-refs", "trash", "types"}
if expected - found: sys.exit(f"there is no {', '.join(expected - found)}")

# MARK: Expectations


def digest(path):
    """The SHA-256 of a file's bytes; of a folder's listing: `KIND PATH SHA-256` of every file and link, sorted."""
    if os.path.islink(path): return hashlib.sha256(os.readlink(path).encode()).hexdigest()
    if os.path.isfile(path): return hashlib.sha256(open(path, "rb").read()).hexdigest()
    lines = []
    for folder, folders, names in os.walk(path):
        for name in names + [name for name in folders if os.path.islink(os.path.join(folder, name))]:
            item = os.path.join(folder, name)
            kind = "link" if os.path.islink(item) else "program" if os.access(item, os.X_OK) and os.stat(item).st_mode & 0o100 else "file"
            lines.append(f"{kind} {os.path.relpath(item, path)} {digest(item)}\n")
        if not names and not folders: lines.append(f"folder {os.path.relpath(folder, path)}\n")
    return hashlib.sha256("".join(sorted(lines, key=lambda line: line.encode())).encode()).hexdigest()


def documents(device):
    top = place(device, ".docversions/documents")
    for folder, folders, _ in os.walk(top):
        for name in [name for name in folders if name.endswith(".git")]:
            folders.remove(name)
            yield os.path.relpath(os.path.join(folder, name[:-4]), top).replace(".git~/", ".git/")


def line(*parts):
    return "\t".join(json.dumps(part, ensure_ascii=False)[1:-1] for part in parts) + "\n"


lines = []
archived = os.path.join(here, "OldStores.tar.gz")
for device in DEVICES:
    # What is asked below writes caches of its own: a copy is asked.
    shutil.copytree(place(device), place("asked", device), symlinks=True)
    for document in sorted(documents(device)):
        for version in versions("asked/" + device, document):
            flags = [flag for flag in ("current", "conflict", "resolved", "local", "discardable", "pinned", "package") if version[flag]]
            contents = "-"
            if version["local"] and version["kind"] != "delete":
                out = place("shown")
                run("asked/" + device, "restore", document, version["id"], "--to", out)
                contents = digest(out)
                shutil.rmtree(out) if os.path.isdir(out) and not os.path.islink(out) else os.remove(out)
            lines.append(line(device, document, version["id"], version["kind"], ",".join(flags), contents, version["name"], version["note"] or ""))
        for version in json.loads(run("asked/" + device, "undelete", document, "--json", codes=(0, 3)) or '{"versions": []}')["versions"]:
            lines.append(line(device, document, version["id"], "removed", "", "-", version["name"], version["note"] or ""))
with open(os.path.join(here, "Expectations.txt"), "w") as file: file.writelines(lines)


def plain(member):
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


with tarfile.open(archived, "w:gz", format=tarfile.PAX_FORMAT) as archive:
    for device in (*DEVICES, "cloud"): archive.add(place(device), device, filter=plain)
shutil.rmtree(root)
