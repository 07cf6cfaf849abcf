internal import CGit2

/// The line changes between two texts.
package enum LineDiff {
  /// One changed place: the lines `old` of the first text became the lines `new` of the second.
  package struct Change: Equatable, Sendable {
    /// Half-open, counted from 0; empty where lines were only added.
    package let old: Range<Int>
    /// Half-open, counted from 0; empty where lines were only removed.
    package let new: Range<Int>

    package init(old: Range<Int>, new: Range<Int>) {
      self.old = old
      self.new = new
    }
  }

  /// The changes that turn `old` into `new`, in order, never touching each other.
  ///
  /// Stands on `git_diff_buffers` without context lines. Lines end with a line feed, and the bytes
  /// are taken as text whatever they hold.
  /// - Throws: ``GitError`` if libgit2 refuses, for example texts over its size limit.
  package static func changes(
    from old: [UInt8], to new: [UInt8]
  ) throws(GitError) -> [Change] {
    var options = unsafe git_diff_options()
    try git("prepare line comparison") {
      unsafe git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION))
    }
    unsafe options.flags = GIT_DIFF_FORCE_TEXT.rawValue
    unsafe options.context_lines = 0
    unsafe options.interhunk_lines = 0

    let found = FoundChanges()
    try git("compare lines") {
      unsafe old.withUnsafeBytes { old in
        unsafe new.withUnsafeBytes { new in
          unsafe git_diff_buffers(
            old.baseAddress, old.count, nil, new.baseAddress, new.count, nil, &options,
            nil, nil, collect, nil, Unmanaged.passUnretained(found).toOpaque())
        }
      }
    }
    if found.isMalformed { throw GitError.malformed("libgit2 reported a hunk without lines") }
    return found.changes
  }

  /// What the callback has collected; errors wait here, because none may cross libgit2's frames.
  private final class FoundChanges {
    var changes: [Change] = []
    var isMalformed = false
  }

  private static let collect: git_diff_hunk_cb = { _, hunk, payload in
    guard let payload = unsafe payload else { return GIT_EUSER.rawValue }
    let found = unsafe Unmanaged<FoundChanges>.fromOpaque(payload).takeUnretainedValue()
    guard
      let hunk = unsafe hunk?.pointee,
      let old = lines(start: hunk.old_start, count: hunk.old_lines),
      let new = lines(start: hunk.new_start, count: hunk.new_lines)
    else {
      found.isMalformed = true
      return 0
    }
    found.changes.append(Change(old: old, new: new))
    return 0
  }

  /// The lines a hunk header names: it counts from 1, and an empty range names the line before.
  private static func lines(start: Int32, count: Int32) -> Range<Int>? {
    let first = count == 0 ? Int(start) : Int(start) - 1
    guard first >= 0, count >= 0 else { return nil }
    return first..<first + Int(count)
  }
}
