internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// A single file outside any store, read at one moment and replaced atomically, like a document.
package enum PlainFile {
  /// Returns the bytes of a file, following a link.
  ///
  /// - Parameter limit: the greatest size in bytes; a larger file is an error before it is read.
  /// - Throws: ``FileError``, also for folders, FIFOs and devices.
  package static func read(_ url: URL, limit: Int = .max) throws -> [UInt8] {
    let path = try url.filePath.resolvingLinks()
    let status = try FileStatus.of(path)
    if let status, status.kind == .file, status.size > limit {
      throw FileError(
        .tooLarge, path: path,
        message: "“\(path.printable)” has \(status.size) bytes, too many to be read as a whole.")
    }
    if status?.kind == .folder {
      throw FileError(
        .unsupportedKind, path: path, message: "“\(path.printable)” is a folder, not a file.")
    }
    return try DocumentReader.read(path) { BytesReader() }.node
  }

  /// Replaces a file, which keeps its permissions, or creates it.
  ///
  /// On return, the bytes are on disk.
  package static func replace(_ url: URL, with bytes: [UInt8]) throws {
    let given = try url.filePath
    let isThere = try FileStatus.of(given) != nil
    let path = isThere ? try given.resolvingLinks() : given
    let status = try FileStatus.of(path)
    guard status == nil || status?.kind == .file else {
      throw FileError(
        .unsupportedKind, path: path, message: "“\(path.printable)” is not a file.")
    }
    try DocumentWriter.replaceElsewhere(
      path,
      with: .file(isExecutable: status?.isExecutable ?? false, contents: FileContents(bytes)),
      displacing: status == nil ? nil : ItemListing(path, limits: nil))
  }
}

/// Collects a file's bytes.
private struct BytesReader: DocumentVisitor {
  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> [UInt8] {
    try contents.read()
  }
  mutating func symbolicLink(target: [UInt8]) throws -> [UInt8] { target }
  mutating func folder(_ members: [(name: [UInt8], node: [UInt8])]) throws -> [UInt8] { [] }
}
