internal import DocumentVersions
internal import Foundation

/// A file, a link or a folder as it is on disk, for writing and comparing.
indirect enum ItemContents: Equatable, Sendable {
  case file(Data, isExecutable: Bool)
  case link(String)
  case folder([String: ItemContents])

  /// The file that stands for an empty folder in a scenario's package, because version control keeps none.
  static let emptyFolderMark = ".empty-folder"

  /// Reads an item; `nil` if there is none.
  init?(at url: URL) throws {
    guard let status = try FileStatus.of(url.filePath) else { return nil }
    let manager = FileManager.default
    switch status.kind {
    case .symbolicLink:
      self = .link(try manager.destinationOfSymbolicLink(atPath: url.path))
    case .folder:
      let names = try manager.contentsOfDirectory(atPath: url.path)
      self = .folder(
        try names.reduce(into: [:]) { $0[$1] = try ItemContents(at: url.appending(path: $1)) })
    case .file:
      self = .file(try Data(contentsOf: url), isExecutable: status.isExecutable)
    case .other(let kind):
      // Reading a FIFO would wait forever.
      throw Mismatch("“\(url.lastPathComponent)” is \(kind.rawValue)")
    }
  }

  /// Reads an item of a scenario's folder.
  init(scenarioFile url: URL) throws {
    guard let contents = try ItemContents(at: url) else {
      throw Mismatch("no file “\(url.lastPathComponent)” in the scenario’s folder")
    }
    self = contents.withoutMarks
  }

  private var withoutMarks: ItemContents {
    guard case .folder(let members) = self else { return self }
    return .folder(
      members.filter { $0.key != Self.emptyFolderMark }.mapValues(\.withoutMarks))
  }

  /// Writes the item, replacing any present one.
  func write(to url: URL, modified date: Date) throws {
    let manager = FileManager.default
    if try FileStatus.of(url.filePath) != nil { try manager.removeItem(at: url) }
    switch self {
    case .link(let target):
      try manager.createSymbolicLink(atPath: url.path, withDestinationPath: target)
      return
    case .folder(let members):
      try manager.createDirectory(at: url, withIntermediateDirectories: true)
      for (name, member) in members {
        try member.write(to: url.appending(path: name), modified: date)
      }
    case .file(let data, let isExecutable):
      try data.write(to: url)
      try manager.setAttributes(
        [.posixPermissions: isExecutable ? 0o755 : 0o644], ofItemAtPath: url.path)
    }
    try manager.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
  }

  /// The item in a few words, for reports.
  var inWords: String {
    switch self {
    case .link(let target): return "a link to “\(target)”"
    case .folder(let members): return "a folder of \(members.count): \(members.keys.sorted())"
    case .file(let data, _):
      guard let text = String(validating: data, as: UTF8.self) else { return "\(data.count) bytes" }
      let line = text.replacing("\r", with: "\\r").replacing("\n", with: "\\n")
      return "“\(line.count > 160 ? line.prefix(160) + "…" : line)”"
    }
  }
}
