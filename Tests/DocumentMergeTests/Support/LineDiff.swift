import CGit2
import DocumentMerge

@testable import DocumentGit

/// libgit2's comparison of lines with the patience algorithm, with which ours is compared.
enum LineDiff {
  /// Returns the changes that turn `old` into `new`, in order and never adjacent.
  ///
  /// This uses `git_diff_buffers` without context lines. Lines end with a line feed, and any bytes count as
  /// text.
  /// - Throws: ``GitError`` if libgit2 refuses, for example texts over its size limit.
  static func changes(
    from old: [UInt8], to new: [UInt8]
  ) throws(GitError) -> [LineChange] {
    var options = git_diff_options()
    try git("prepare line comparison") { _ in
      git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION))
    }
    options.flags = GIT_DIFF_FORCE_TEXT.rawValue | GIT_DIFF_PATIENCE.rawValue
    options.context_lines = 0
    options.interhunk_lines = 0

    let found = FoundChanges()
    try git("compare lines") { _ in
      old.withUnsafeBytes { old in
        new.withUnsafeBytes { new in
          git_diff_buffers(
            old.baseAddress, old.count, nil, new.baseAddress, new.count, nil, &options,
            nil, nil, collect, nil, Unmanaged.passUnretained(found).toOpaque())
        }
      }
    }
    if found.isMalformed { throw GitError.malformed("libgit2 reported a hunk without lines") }
    return found.changes
  }

  /// The changes that the callback has collected; errors wait here, because none may cross libgit2's frames.
  private final class FoundChanges {
    var changes: [LineChange] = []
    var isMalformed = false
  }

  private static let collect: git_diff_hunk_cb = { _, hunk, payload in
    guard let payload = payload else { return GIT_EUSER.rawValue }
    let found = Unmanaged<FoundChanges>.fromOpaque(payload).takeUnretainedValue()
    guard
      let hunk = hunk?.pointee,
      let old = lines(start: hunk.old_start, count: hunk.old_lines),
      let new = lines(start: hunk.new_start, count: hunk.new_lines)
    else {
      found.isMalformed = true
      return 0
    }
    found.changes.append(LineChange(old: old, new: new))
    return 0
  }

  /// Returns the lines that a hunk header names; it counts from 1, and an empty range names the line before.
  private static func lines(start: Int32, count: Int32) -> Range<Int>? {
    let first = count == 0 ? Int(start) : Int(start) - 1
    guard first >= 0, count >= 0 else { return nil }
    return first..<first + Int(count)
  }
}
