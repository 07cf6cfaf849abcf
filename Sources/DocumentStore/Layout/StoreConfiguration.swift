internal import DocumentFiles
package import DocumentGit

/// The config of a store: data that docversions wrote, and that git obeys.
///
/// A list names the permitted settings. Any other setting is an error, because it could make git run
/// programs, follow paths and read other files.
package enum StoreConfiguration {
  /// Reads a config in the form that docversions writes: one setting a line, without continuation lines.
  ///
  /// - Returns: the values, by keys such as "docversions.format".
  package static func values(in bytes: [UInt8]) throws(GitError) -> [String: String] {
    // Git must read the same lines, so characters that end a line elsewhere are errors; docversions writes
    // plain ASCII.
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x09 || $0 == 0x0A }) else {
      throw .malformed("its config is not text of one line after another")
    }
    var values: [String: String] = [:]
    var section = ""
    for line in bytes.split(separator: UInt8(ascii: "\n")).map({ $0.trimmingBlanks() }) {
      switch line.first {
      case nil, UInt8(ascii: "#"), UInt8(ascii: ";"): continue
      case UInt8(ascii: "["):
        section = line.dropFirst().dropLast().lowercased()
        guard line.last == UInt8(ascii: "]"), sections.contains(section) else {
          throw foreign(line)
        }
      default:
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")), !section.isEmpty,
          !line.contains(UInt8(ascii: "\\"))
        else { throw foreign(line) }
        let name = line[..<equals].trimmingBlanks().lowercased()
        let isOurs =
          names[section]?.contains(name) ?? name.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        guard isOurs, !name.isEmpty else { throw foreign(line) }
        let value = line[(equals + 1)...].trimmingBlanks()
        values["\(section).\(name)"] = String(decoding: value, as: UTF8.self)
      }
    }
    guard values["core.repositoryformatversion"] == "0" else {
      throw .malformed("its config does not have the format of a store")
    }
    return values
  }

  private static func foreign(_ line: ArraySlice<UInt8>) -> GitError {
    .malformed("its config says “\(Printable.text(Array(line)))”, which is not for a store")
  }

  // The settings of docversions, and those that only change how git packs, writes to disk, and answers fetches and
  // pushes.
  private static let sections: Set<String> = [
    "core", "docversions", "gc", "http", "pack", "receive", "uploadpack",
  ]
  /// The permitted names in sections where not every name is harmless.
  private static let names: [String: Set<String>] = [
    "core": [
      "repositoryformatversion", "filemode", "bare", "symlinks", "ignorecase", "precomposeunicode",
      "logallrefupdates", "compression", "loosecompression", "fsync", "fsyncmethod",
      "fsyncobjectfiles", "sharedrepository",
    ],
    "http": ["receivepack", "uploadpack"],
    "uploadpack": [
      "allowanysha1inwant", "allowfilter", "allowreachablesha1inwant", "allowrefinwant",
      "allowtipsha1inwant", "hiderefs",
    ],
  ]
}

extension ArraySlice<UInt8> {
  /// Returns the bytes without blanks at both ends.
  fileprivate func trimmingBlanks() -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let start = firstIndex(where: { !isBlank($0) }),
      let end = lastIndex(where: { !isBlank($0) })
    else { return [] }
    return self[start...end]
  }

  /// Returns the ASCII text in lowercase.
  fileprivate func lowercased() -> String {
    String(decoding: map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
