/// The text of `docversions help json`: the objects that several commands print.
enum JSONHelp {
  static let text = """
    OVERVIEW: What --json answers with.

    One object in one line on standard output, with its keys in order. “docversions
    help COMMAND” names the keys of each; those that several share are here.
    What is not known or not there is null, except in decisions, where such a key is
    left out.

    VERSION, as the key “version” and in lists of versions
      id           the identifier, 40 hexadecimal digits
      date         when the contents were last modified, ISO 8601 in UTC
      saved        when the version was made; what @{…} goes by
      author       its author
      device       the device that saved it
      kind         save, restore, merge, resolve, join, delete, rename, add, undo
                   or import
      name         the document’s name then
      note         the text of -m, or null
      bytes        the size of all its files
      package      whether the document was a folder
      current      whether it is the current version
      conflict     whether a conflict made it another one beside the current one
      resolved     false for a conflict version until it is resolved
      local        whether its contents are on this device
      discardable  whether its contents may be dropped when space is needed
      pinned       whether it stays on this device whatever is thinned
      parents      the identifiers of the versions that it was made from

    CHANGE, in “changes” of log --stat and of diff --stat
      change       added, removed, changed or renamed
      member       the path in the package; null for the document itself
      former       the path before, where it was another one, or null
      kind         file, executable, folder or link
      members      how many files it stands for
      bytesBefore, bytesAfter
                   the sizes; null where there is nothing
      linesAdded, linesRemoved
                   for text; null where they are not counted
    Without --stat, a change of diff has “remark” and “hunks” instead of kind,
    members, sizes and counts: “old” and “new” of a hunk are its first line and how
    many, and its “lines” begin with a space, - or +.

    DECISION, in “decisions” and “questions” of resolve and conflicts, and in the
    file of merge --decisions
      kind         ours, theirs, same, combined, or clash: left to decide
      place        where: {"member", "path", "lines"}, each only where it says
                   something. “path” leads to a value, as in /pages/id=2/title;
                   “lines” has [first, end] of “base”, “ours”, “theirs” and
                   “result”, counted from 0, without the end
      base, ours, theirs
                   what each has there, shortened; left out for nothing
      explanation  one sentence for a person

    CHECK, in {"checks": […]} of doctor --self-test
      name         what was tried
      passed       whether that went well
      detail       more about it, or ""

    ERROR, as {"error": {…}} on standard error, one line for each failure
      code         the kind of failure, a name that stays: not-found, no-versions,
                   no-such-version, changed-meanwhile, damaged, usage and others
      message      what failed and why, for a person
      hint         what leads on, for a person, or null
      path         the document or file, or ""
    The exit code says the same more coarsely; see docversions help.
    """
}
