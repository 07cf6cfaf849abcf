internal import DocumentFiles
package import DocumentGit
package import SystemPackage

/// The heads that other devices can get since this device last sent, as the store records them.
///
/// Their ancestors are published, too. A damaged file counts as empty: everything then counts as unpublished,
/// and is kept, until the next exchange.
package struct PublishedHeads: Equatable {
  let heads: Set<ObjectID>

  package init(_ heads: some Sequence<ObjectID>) {
    self.heads = Set(heads)
  }

  /// Reads the record of a store; `nil` if the document was never exchanged.
  package init?(in store: FilePath) throws {
    guard let bytes = try SmallFile.read(Self.file(in: store)) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let heads = lines.dropLast().compactMap { ObjectID(hexadecimal: $0) }
    self.init(bytes == PublishedHeads(heads).encoded ? heads : [])
  }

  /// Replaces the record of a store if it differs; durable on return.
  package func write(in store: FilePath) throws {
    let file = Self.file(in: store)
    guard try SmallFile.read(file) != encoded else { return }
    try SmallFile.replace(file, encoded)
  }

  /// The encoded form: one id a line, and a last line with the digest of the others.
  private var encoded: [UInt8] {
    let lines = Array(heads.sorted().map { "\($0)\n" }.joined().utf8)
    return lines + Array("sha256 \(ContentDigest(of: lines))\n".utf8)
  }

  private static func file(in store: FilePath) -> FilePath {
    StoreFile.published.path(in: store)
  }
}
