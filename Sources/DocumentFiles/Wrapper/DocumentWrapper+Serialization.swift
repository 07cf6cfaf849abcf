public import Foundation
internal import SystemPackage

/// A tree as one run of bytes (FW9), for transport or a pasteboard.
///
/// A line tells the format; then come the nodes, each folder before its members. A node is a line of eight fields,
/// `kind depth permissions modified key preferred filename contents`, the last four lengths in bytes, and these
/// bytes. A field that does not apply is `-`. A member whose key only stands for its name on disk has that for a
/// ninth field, of which the same holds.
extension DocumentWrapper {
  private static let signature = Array("docversions wrapper 1\n".utf8)

  /// The tree with names, kinds, contents, permissions and dates (FW9).
  ///
  /// - Throws: ``FileError``: `too-large` for what could not be read again; `not-found` or `changing` where bytes
  ///   that are only on disk are not there any more.
  public var serializedRepresentation: Data {
    get throws {
      try checkLimits(at: .at(FilePath(shownName)))
      var data = Data(Self.signature)
      // The next one last.
      var pending = [Member(node: self, key: nil, nameOnDisk: nil, depth: 0)]
      while let next = pending.popLast() {
        try next.node.serialize(next, to: &data)
        guard case .folder(let members) = next.node.content else { continue }
        pending += members.sorted { $0.key > $1.key }.map { key, node in
          Member(
            node: node, key: key, nameOnDisk: next.node.namesOnDisk[key], depth: next.depth + 1)
        }
      }
      return data
    }
  }

  /// A node, and what the folder that it is in knows of it.
  private struct Member {
    let node: DocumentWrapper
    let key: String?
    let nameOnDisk: [UInt8]?
    let depth: Int
  }

  /// Adds this node alone.
  private func serialize(_ member: Member, to data: inout Data) throws {
    let attributes = attributes
    let kind: String
    var contents: [UInt8]?
    switch content {
    case .file: (kind, contents) = ("file", try self.contents().read())
    case .symbolicLink(let target): (kind, contents) = ("link", target)
    case .folder: kind = "folder"
    }
    var parts = [
      member.key.map { Array($0.utf8) }, preferredFilename.map { Array($0.utf8) }, storedName,
      contents,
    ]
    if let name = member.nameOnDisk { parts.append(name) }
    let fields =
      [
        kind, "\(member.depth)", attributes.permissions.map { "\($0)" } ?? "-",
        attributes.modified.map { "\($0)" } ?? "-",
      ]
      + parts.map { $0.map { "\($0.count)" } ?? "-" }
    data += Array((fields.joined(separator: " ") + "\n").utf8)
    for part in parts { data += part ?? [] }
  }

  /// Makes a tree of its serialized representation (FW9).
  ///
  /// - Throws: ``FileError`` with code `damaged` for anything else.
  public convenience init(serializedRepresentation data: Data) throws(FileError) {
    var rest = Array(data)[...]
    guard rest.starts(with: Self.signature) else { throw Self.damaged }
    rest = rest.dropFirst(Self.signature.count)
    guard let top = try SerializedNode(&rest), top.depth == 0 else { throw Self.damaged }
    self.init(.file(nil))
    take(top)
    var way = [self]
    var count = 1
    while let node = try SerializedNode(&rest) {
      count += 1
      guard (1...way.count).contains(node.depth), case let folder = way[node.depth - 1],
        folder.isDirectory, node.depth <= DocumentLimits().depth, count <= DocumentLimits().members,
        let key = node.key, PathName.isName(Array(key.utf8)), try folder.fileWrappers[key] == nil
      else { throw Self.damaged }
      let member = DocumentWrapper(.file(nil))
      member.take(node)
      try folder.insert(member, forKey: key)
      if let name = node.nameOnDisk {
        guard PathName.isName(name) else { throw Self.damaged }
        folder.namesOnDisk[key] = name
      }
      way.removeSubrange(node.depth...)
      way.append(member)
    }
  }

  private func take(_ node: SerializedNode) {
    content = node.content
    preferredFilename = node.preferredFilename
    storedName = node.filename
    if let permissions = node.permissions { fileAttributes[.posixPermissions] = permissions }
    if let modified = node.modified {
      self.modified = modified
      fileAttributes[.modificationDate] = Date(timeIntervalSince1970: Double(modified) / 1e9)
    }
  }

  fileprivate static var damaged: FileError {
    FileError(
      .damaged, path: "serialized representation",
      message: "These bytes are no serialized wrapper.")
  }
}

/// One node, as it is read.
private struct SerializedNode {
  let depth: Int
  let permissions: Int?
  let modified: Int64?
  let key, preferredFilename: String?
  let filename, nameOnDisk: [UInt8]?
  let content: DocumentWrapper.Content

  /// Takes the next node; nil at the end.
  init?(_ rest: inout ArraySlice<UInt8>) throws(FileError) {
    guard !rest.isEmpty else { return nil }
    // The longest line that can be.
    guard let end = rest.prefix(200).firstIndex(of: UInt8(ascii: "\n")) else {
      throw DocumentWrapper.damaged
    }
    let fields = String(decoding: rest[..<end], as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    rest = rest[(end + 1)...]
    guard (8...9).contains(fields.count), let depth = Int(fields[1]), depth >= 0 else {
      throw DocumentWrapper.damaged
    }
    self.depth = depth
    permissions = try Self.number(fields[2])
    modified = try Self.number(fields[3])
    key = try Self.text(fields[4], &rest)
    preferredFilename = try Self.text(fields[5], &rest)
    filename = try Self.bytes(fields[6], &rest)
    switch (fields[0], try Self.bytes(fields[7], &rest)) {
    case ("file", let bytes?): content = .file(Data(bytes))
    case ("link", let bytes?): content = .symbolicLink(target: bytes)
    case ("folder", nil): content = .folder([:])
    default: throw DocumentWrapper.damaged
    }
    nameOnDisk = fields.count == 9 ? try Self.bytes(fields[8], &rest) : nil
  }

  private static func number<Number: FixedWidthInteger>(
    _ field: Substring
  ) throws(FileError) -> Number? {
    if field == "-" { return nil }
    guard let number = Number(field) else { throw DocumentWrapper.damaged }
    return number
  }

  private static func bytes(
    _ field: Substring, _ rest: inout ArraySlice<UInt8>
  ) throws(FileError) -> [UInt8]? {
    guard let count: Int = try number(field) else { return nil }
    guard count >= 0, count <= rest.count else { throw DocumentWrapper.damaged }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  private static func text(
    _ field: Substring, _ rest: inout ArraySlice<UInt8>
  ) throws(FileError) -> String? {
    guard let bytes = try bytes(field, &rest) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw DocumentWrapper.damaged }
    return text
  }
}
