internal import DocumentFiles
internal import DocumentGit

/// The config of a store: data that we wrote, and that git obeys.
///
/// A list says what it may say. Everything else is refused: git would run programs, follow paths and read
/// other files for it.
enum StoreConfiguration {
  /// Reads a config as we write it: one setting a line, nothing continued.
  ///
  /// - Returns: the values, by keys such as "docversions.format".
  static func values(in bytes: [UInt8]) throws(GitError) -> [String: String] {
    // A line must be for git what it is for us, so what ends one elsewhere is refused: we write plain ASCII.
    guard let text = String(validating: bytes, as: UTF8.self),
      bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x09 || $0 == 0x0A })
    else { throw .malformed("its config is not text of one line after another") }
    var values: [String: String] = [:]
    var section = ""
    for line in text.split(separator: "\n").map({ $0.trimmingBlanks() }) {
      switch line.first {
      case nil, "#", ";": continue
      case "[":
        section = line.dropFirst().dropLast().lowercased()
        guard line.last == "]", sections.contains(section) else { throw foreign(line) }
      default:
        let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks() }
        guard !section.isEmpty, parts.count == 2, !line.contains("\\") else {
          throw foreign(line)
        }
        let name = parts[0].lowercased()
        let isOurs = section == "core" ? coreNames.contains(name) : name.allSatisfy(\.isLetter)
        guard isOurs, !name.isEmpty else { throw foreign(line) }
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
