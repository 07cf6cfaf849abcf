/// Counts the members and bytes of a document against its limits.
struct DocumentTally {
  let limits: DocumentLimits
  /// The number of files, links and folders.
  private var members = 0
  /// The size of all files, in bytes.
  private(set) var bytes = 0

  init(limits: DocumentLimits) {
    self.limits = limits
  }

  /// Counts one more member.
  ///
  /// - Throws: ``FileError`` with the member's name, for an unsupported kind or beyond a limit.
  mutating func add(
    _ kind: FileStatus.Kind, size: Int, depth: Int, at place: @autoclosure () -> ItemPath
  ) throws(FileError) {
    members += 1
    if depth > limits.depth || members > limits.members {
      throw FileError(
        .tooLarge, path: place().path,
        message: """
          “\(place().path.printable)” is beyond the limit of \(limits.members) members and \(limits.depth) \
          nested folders.
          """)
    }
    switch kind {
    case .folder, .symbolicLink: return
    case .file:
      let isTooLarge = size > limits.fileSize
      if isTooLarge || size > limits.totalSize - bytes {
        let rest = isTooLarge ? "" : " in a document with \(bytes) others"
        throw FileError(
          .tooLarge, path: place().path,
          message:
            "“\(place().path.printable)” has \(size) bytes\(rest), more than can be saved.")
      }
      bytes += size
    case .other(let kind):
      throw FileError(
        .unsupportedKind, path: place().path,
        message: """
          “\(place().path.printable)” is \(kind.rawValue); only files, folders and links can be saved.
          """
      )
    }
  }
}
