public import DocumentFiles
public import Foundation
internal import SystemPackage

/// What a document holds, as a value that can be written in the background while the document goes on changing.
public enum DocumentContents: Sendable {
  /// The bytes of a file.
  case data(Data)
  /// The members of a package.
  case package(PackageSnapshot)
}

extension DocumentContents {
  var isPackage: Bool { if case .package = self { true } else { false } }
}

/// A document on disk as it was read or written last.
struct DiskRevision: Sendable {
  let status: FileStatus
  /// The members, where it is a package.
  let package: PackageSnapshot?

  /// The time of modification that the file system has.
  var modificationDate: Date {
    Date(timeIntervalSince1970: Double(status.modified) / 1e9)
  }

  /// Whether the item at a URL still is this revision; blocks while it reads statuses.
  func isPresent(at url: URL) throws -> Bool {
    guard let present = try FileStatus.of(url.filePath), present.isSameItem(as: status) else {
      return false
    }
    if let package { return try package.matchesContents(of: url) }
    return present.isSameContent(as: status)
  }

  /// The place of the item, which is not where it was, in the same folder; nil where it is not there.
  ///
  /// Blocks meanwhile.
  func neighbour(of url: URL) throws -> URL? {
    let folder = try url.filePath.parentFolder
    guard try FileStatus.of(folder) != nil else { return nil }
    for member in try Folder.members(of: folder) {
      let path = folder.appending(bytes: member.name)
      if try FileStatus.of(path)?.isSameItem(as: status) == true {
        return URL(filePath: path.string)
      }
    }
    return nil
  }

  /// Reads the document at a URL; blocks while it reads.
  ///
  /// - Throws: ``FileError``: `not-found`, `not-permitted`, `too-large`, `changing`, and `unsupported-kind` for anything
  ///   but a file or a folder.
  static func read(_ url: URL) throws -> (contents: DocumentContents, revision: DiskRevision) {
    let path = try url.filePath
    guard let status = try FileStatus.of(path) else {
      throw FileError(
        .notFound, path: path, message: "There is no document “\(Printable.text(path.lastName))”.")
    }
    switch status.kind {
    case .file:
      let listing = try ItemListing(reading: path)
      let contents = DocumentContents.data(Data(listing.contents ?? []))
      return (contents, DiskRevision(status: listing.status, package: nil))
    case .folder:
      // All bytes: another program may replace a member that was not edited here, and it has to be written again then.
      let package = try PackageSnapshot(url: url, options: .immediate)
      return (.package(package), DiskRevision(status: status, package: package))
    case .symbolicLink, .other:
      throw FileError(
        .unsupportedKind, path: path,
        message: "“\(Printable.text(path.lastName))” is neither a file nor a folder.")
    }
  }

  /// Writes contents safely: a crash leaves the old document or the new one.
  ///
  /// Blocks until they are on the disk.
  ///
  /// - Parameters:
  ///   - contents: the new contents.
  ///   - url: where they go.
  ///   - former: what is replaced; nil where nothing may be there.
  ///   - isMadeOfFormer: false where the contents were made from something else than what is replaced.
  /// - Throws: ``FileError`` with code `changing` or `exists` where something else is there; it is left as it is.
  static func write(
    _ contents: DocumentContents, to url: URL, replacing former: DiskRevision?,
    isMadeOfFormer: Bool = true
  ) throws -> DiskRevision {
    let path = try url.filePath
    guard try former?.isPresent(at: url) ?? (FileStatus.of(path) == nil) else {
      throw FileError(
        former == nil ? .exists : .changing, path: path,
        message: "“\(Printable.text(path.lastName))” is not what was read or written last.")
    }
    switch contents {
    case .data(let data):
      let old = try former.map { _ in try ItemListing(path, limits: nil) }
      let isExecutable = former?.status.isExecutable ?? false
      try DocumentWriter.replaceElsewhere(
        path, with: .file(isExecutable: isExecutable, contents: FileContents(Array(data))),
        displacing: old)
      return DiskRevision(status: try status(of: path), package: nil)
    case .package(let package):
      try package.write(
        to: url, originalContentsURL: former != nil && isMadeOfFormer ? url : nil)
      return DiskRevision(status: try status(of: path), package: package)
    }
  }

  private static func status(of path: FilePath) throws -> FileStatus {
    guard let status = try FileStatus.of(path) else {
      throw FileError(
        .changing, path: path,
        message: "“\(Printable.text(path.lastName))” has gone while it was written.")
    }
    return status
  }
}
