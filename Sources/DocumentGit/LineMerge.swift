internal import CGit2

/// libgit2's own three-way merge of lines.
package enum LineMerge {
  /// The three texts' names, as they stand in conflict markers.
  package typealias Labels = (base: String, ours: String, theirs: String)

  /// Merges three texts line by line, with diff3 markers around what clashes.
  ///
  /// Stands on `git_merge_file`, which gives what `git merge-file --diff3` gives.
  /// - Parameters:
  ///   - base: The common ancestor; empty if there is none.
  ///   - ours: One side.
  ///   - theirs: The other side.
  ///   - labels: The names in the markers.
  ///   - markerLength: The length of the markers. Content is only safe from being taken for a
  ///     marker if this is longer than its runs of marker characters.
  /// - Returns: The merged bytes, and whether they are without markers.
  /// - Throws: ``GitError`` if libgit2 refuses, or for a marker longer than it can write.
  package static func merge(
    base: [UInt8], ours: [UInt8], theirs: [UInt8], labels: Labels, markerLength: Int
  ) throws(GitError) -> (bytes: [UInt8], isClean: Bool) {
    guard let markerSize = UInt16(exactly: markerLength) else {
      throw GitError(
        code: GIT_EINVALID.rawValue, operation: "merge lines",
        message: "a conflict marker of \(markerLength) characters is too long")
    }
    var options = unsafe git_merge_file_options()
    try git("prepare line merge") {
      unsafe git_merge_file_options_init(&options, UInt32(GIT_MERGE_FILE_OPTIONS_VERSION))
    }
    unsafe options.flags = GIT_MERGE_FILE_STYLE_DIFF3.rawValue
    unsafe options.marker_size = markerSize

    var result = unsafe git_merge_file_result()
    defer { unsafe git_merge_file_result_free(&result) }
    try git("merge lines") {
      unsafe withLabels(labels, in: &options) { options in
        unsafe withInput(base) { base in
          unsafe withInput(ours) { ours in
            unsafe withInput(theirs) { theirs in
              unsafe git_merge_file(&result, base, ours, theirs, options)
            }
          }
        }
      }
    }
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: result.ptr, count: result.len))
    return unsafe (bytes, result.automergeable != 0)
  }

  /// Lends `bytes` to libgit2 as one of its inputs.
  private static func withInput(
    _ bytes: [UInt8], _ body: (UnsafePointer<git_merge_file_input>) -> Int32
  ) -> Int32 {
    unsafe bytes.withUnsafeBytes { buffer in
      var input = unsafe git_merge_file_input()
      unsafe input.version = UInt32(GIT_MERGE_FILE_INPUT_VERSION)
      unsafe input.ptr = buffer.bindMemory(to: CChar.self).baseAddress
      unsafe input.size = buffer.count
      return unsafe body(&input)
    }
  }

  /// Lends the labels to libgit2 for as long as `body` runs.
  private static func withLabels(
    _ labels: Labels, in options: inout git_merge_file_options,
    _ body: (UnsafePointer<git_merge_file_options>) -> Int32
  ) -> Int32 {
    unsafe labels.base.withCString { base in
      unsafe labels.ours.withCString { ours in
        unsafe labels.theirs.withCString { theirs in
          unsafe options.ancestor_label = unsafe base
          unsafe options.our_label = unsafe ours
          unsafe options.their_label = unsafe theirs
          return unsafe body(&options)
        }
      }
    }
  }
}
