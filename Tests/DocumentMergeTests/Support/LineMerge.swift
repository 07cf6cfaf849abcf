import CGit2

@testable import DocumentGit

/// libgit2's own three-way merge of lines with the patience algorithm, with which ours is compared.
enum LineMerge {
  /// The names of the three texts in conflict markers.
  typealias Labels = (base: String, ours: String, theirs: String)

  /// Merges three texts line by line, with diff3 markers around clashes.
  ///
  /// This uses `git_merge_file`, which gives the same result as `git merge -X patience` with diff3 markers.
  /// - Parameters:
  ///   - base: The common ancestor; empty if there is none.
  ///   - ours: One side.
  ///   - theirs: The other side.
  ///   - labels: The names in the markers.
  ///   - markerLength: The length of the markers. Content is only safe from being taken for a
  ///     marker if this is longer than its runs of marker characters.
  /// - Returns: The merged bytes, and whether they are without markers.
  /// - Throws: ``GitError`` if libgit2 refuses, or for a marker longer than it can write.
  static func merge(
    base: [UInt8], ours: [UInt8], theirs: [UInt8], labels: Labels, markerLength: Int
  ) throws(GitError) -> (bytes: [UInt8], isClean: Bool) {
    guard let markerSize = UInt16(exactly: markerLength) else {
      throw GitError(
        code: .malformed, operation: "merge lines",
        message: "a conflict marker of \(markerLength) characters is too long")
    }
    var options = git_merge_file_options()
    try git("prepare line merge") { _ in
      git_merge_file_options_init(&options, UInt32(GIT_MERGE_FILE_OPTIONS_VERSION))
    }
    options.flags =
      GIT_MERGE_FILE_STYLE_DIFF3.rawValue | GIT_MERGE_FILE_DIFF_PATIENCE.rawValue
    options.marker_size = markerSize

    var result = git_merge_file_result()
    defer { git_merge_file_result_free(&result) }
    try git("merge lines") { _ in
      withLabels(labels, in: &options) { options in
        withInput(base) { base in
          withInput(ours) { ours in
            withInput(theirs) { theirs in
              git_merge_file(&result, base, ours, theirs, options)
            }
          }
        }
      }
    }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: result.ptr, count: result.len))
    return (bytes, result.automergeable != 0)
  }

  /// Lends `bytes` to libgit2 as one of its inputs.
  private static func withInput(
    _ bytes: [UInt8], _ body: (UnsafePointer<git_merge_file_input>) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var input = git_merge_file_input()
      input.version = UInt32(GIT_MERGE_FILE_INPUT_VERSION)
      input.ptr = buffer.bindMemory(to: CChar.self).baseAddress
      input.size = buffer.count
      return body(&input)
    }
  }

  /// Lends the labels to libgit2 for as long as `body` runs.
  private static func withLabels(
    _ labels: Labels, in options: inout git_merge_file_options,
    _ body: (UnsafePointer<git_merge_file_options>) -> Int32
  ) -> Int32 {
    labels.base.withCString { base in
      labels.ours.withCString { ours in
        labels.theirs.withCString { theirs in
          options.ancestor_label = base
          options.our_label = ours
          options.their_label = theirs
          return body(&options)
        }
      }
    }
  }
}
