internal import Foundation
internal import SystemPackage

/// One node of a serialized tree.
///
/// A tree is one sequence of bytes: a line that names the format, then the nodes, each folder before its
/// members. A node is a line of eight fields, `kind depth permissions modified key preferred filename
/// contents`, of which the last four are lengths in bytes, followed by these bytes. A field that doesn't
/// apply is `-`. If a member's name on disk differs from its key, it follows as a ninth field in the same
/// form.
struct SerializedNode {
  enum Content {
    case file([UInt8])
    case symbolicLink(target: [UInt8])
    case folder
  }

  /// The line that names the format.
  static let signature = Array("docversions wrapper 1\n".utf8)

  let depth: Int
  let permissions: Int?
  let modified: Int64?
  let key, preferredFilename: String?
  let filename, nameOnDisk: [UInt8]?
  let content: Content

  /// Creates the description of a node, with the folder's data about it.
  init(_ node: DocumentWrapper, depth: Int, key: String?, nameOnDisk: [UInt8]?) throws {
    let attributes = node.attributes.item
    self.depth = depth
    permissions = attributes.permissions.map { Int($0) }
    modified = attributes.modified
    self.key = key
    preferredFilename = node.preferredFilename
    filename = node.storedName
    self.nameOnDisk = nameOnDisk
    content =
      switch node.content {
      case .file: .file(try node.contents().read())
      case .symbolicLink(let target): .symbolicLink(target: target)
      case .folder: .folder
      }
  }

  // MARK: Writing

  /// Appends the node to a serialized tree.
  func write(to data: inout Data) {
    let (kind, contents): (String, [UInt8]?) =
      switch content {
      case .file(let bytes): ("file", bytes)
      case .symbolicLink(let target): ("link", target)
      case .folder: ("folder", nil)
      }
    var parts = [key.map { Array($0.utf8) }, preferredFilename.map { Array($0.utf8) }, filename]
    parts.append(contents)
    if let nameOnDisk { parts.append(nameOnDisk) }
    let fields =
      [
        kind, "\(depth)", permissions.map { "\($0)" } ?? "-", modified.map { "\($0)" } ?? "-",
      ] + parts.map { $0.map { "\($0.count)" } ?? "-" }
    data += Array((fields.joined(separator: " ") + "\n").utf8)
    for part in parts { data += part ?? [] }
  }

  // MARK: Reading

  /// Reads the next node; nil at the end.
  init?(_ rest: inout ArraySlice<UInt8>) throws(FileError) {
    guard !rest.isEmpty else { return nil }
    // The greatest length of a line.
    guard let end = rest.prefix(200).firstIndex(of: UInt8(ascii: "\n")) else { throw Self.damaged }
    let fields = String(decoding: rest[..<end], as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    rest = rest[(end + 1)...]
    guard (8...9).contains(fields.count), let depth = Int(fields[1]), depth >= 0 else {
      throw Self.damaged
    }
    self.depth = depth
    permissions = try Self.number(fields[2])
    modified = try Self.number(fields[3])
    key = try Self.text(fields[4], &rest)
    preferredFilename = try Self.text(fields[5], &rest)
    filename = try Self.bytes(fields[6], &rest)
    switch (fields[0], try Self.bytes(fields[7], &rest)) {
    case ("file", let bytes?): content = .file(bytes)
    case ("link", let bytes?): content = .symbolicLink(target: bytes)
    case ("folder", nil): content = .folder
    default: throw Self.damaged
    }
    nameOnDisk = fields.count == 9 ? try Self.bytes(fields[8], &rest) : nil
  }

  private static func number<Number: FixedWidthInteger>(
    _ field: Substring
  ) throws(FileError) -> Number? {
    if field == "-" { return nil }
    guard let number = Number(field) else { throw damaged }
    return number
  }

  private static func bytes(
    _ field: Substring, _ rest: inout ArraySlice<UInt8>
  ) throws(FileError) -> [UInt8]? {
    guard let count: Int = try number(field) else { return nil }
    guard count >= 0, count <= rest.count else { throw damaged }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  private static func text(
    _ field: Substring, _ rest: inout ArraySlice<UInt8>
  ) throws(FileError) -> String? {
    guard let bytes = try bytes(field, &rest) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged }
    return text
  }

  /// The error for bytes that aren't a serialized tree.
  static var damaged: FileError {
    FileError(
      .damaged, path: "serialized representation",
      message: "The data isn’t a serialized wrapper.")
  }
}
