internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A look at a store before git opens it.
///
/// Stores come by copying and syncing too, and git follows links, obeys its config, and waits for a FIFO. So
/// what a store must consist of is looked at here, and what it must not say is refused.
enum StoreInspection {
  /// Refuses a repository with links, with borrowed objects or with config that we do not write.
  ///
  /// - Returns: what its config says, by keys such as "docversions.format".
  @discardableResult
  static func check(_ store: FilePath) throws -> [String: String] {
    for (name, kind, isRequired) in parts {
      let found = try FileStatus.of(store.pushing(FilePath(name)))?.kind
      guard found == kind || found == nil && !isRequired else {
        throw GitError.malformed(
          "its “\(name)” is \(found == nil ? "missing" : "not what it must be")")
      }
    }
    for name in ["commondir", "objects/info/alternates"] {
      guard try FileStatus.of(store.pushing(FilePath(name))) == nil else {
        throw GitError.malformed("it has a “\(name)”, which leads to another repository")
      }
    }
    let bytes = try SmallFile.read(store.appending("config"), limit: 64 << 10) ?? []
    return try values(inConfig: String(decoding: bytes, as: UTF8.self))
  }

  private static let parts: [(name: String, kind: FileStatus.Kind, isRequired: Bool)] = [
    ("objects", .folder, true), ("objects/pack", .folder, false), ("objects/info", .folder, false),
    ("refs", .folder, true), ("refs/heads", .folder, false), ("HEAD", .file, true),
    ("config", .file, true), ("packed-refs", .file, false),
  ]

  /// Reads a config as we write it: one setting a line, nothing continued.
  private static func values(inConfig text: String) throws(GitError) -> [String: String] {
    var values: [String: String] = [:]
    var section = ""
    for line in text.split(whereSeparator: \.isNewline).map({ $0.trimming() }) {
      switch line.first {
      case nil, "#", ";": continue
      case "[":
        section = line.dropFirst().dropLast().lowercased()
        guard line.last == "]", sections.contains(section) else { throw foreign(line) }
      default:
        let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimming() }
        let name = parts[0].lowercased()
        let isOurs = section == "core" ? coreNames.contains(name) : name.allSatisfy(\.isLetter)
        guard parts.count == 2, isOurs, line.last != "\\" else { throw foreign(line) }
        values["\(section).\(name)"] = String(parts[1])
      }
    }
    guard values["core.repositoryformatversion"] == "0" else {
      throw .malformed("its config does not have the format of a store")
    }
    return values
  }

  private static func foreign(_ line: Substring) -> GitError {
    .malformed("its config says “\(Printable.text(String(line)))”, which is not for a store")
  }

  // What is ours, and what changes only how git packs and writes to disk.
  private static let sections: Set<String> = ["core", "docversions", "gc", "pack"]
  private static let coreNames: Set<String> = [
    "repositoryformatversion", "filemode", "bare", "symlinks", "ignorecase", "precomposeunicode",
    "logallrefupdates", "compression", "loosecompression", "fsync", "fsyncmethod",
    "fsyncobjectfiles", "sharedrepository",
  ]
}

extension Substring {
  fileprivate func trimming() -> Substring {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}

extension Repository {
  /// Opens a store, after a look at it.
  init(store: FilePath) throws {
    try StoreInspection.check(store)
    try self.init(opening: store.withPlatformString { $0.nullTerminated })
  }
}
