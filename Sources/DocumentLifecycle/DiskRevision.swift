internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The form in which a document is read and written.
struct DiskForm: Sendable {
  /// The app's format; `nil` for contents without conversion.
  var format: (any DocumentFileFormat)?
  var type = ""
  var attributes = DocumentFileAttributes()
  var progress = OperationProgress()

  /// Reports bytes, and ends the access if it was canceled.
  @Sendable func advance(_ bytes: Int) throws {
    try progress.checkCancellation()
    progress.completedUnitCount += Int64(bytes)
  }

  @Sendable func expect(_ bytes: Int) {
    progress.totalUnitCount = Int64(bytes)
    progress.completedUnitCount = 0
  }

  var itemAttributes: ItemAttributes {
    var item = ItemAttributes()
    item.permissions = attributes.permissions.map { UInt32(truncatingIfNeeded: $0) & 0o7777 }
    if let date = attributes.modificationDate, abs(date.timeIntervalSince1970) < 9e9 {
      item.modified = Int64((date.timeIntervalSince1970 * 1e9).rounded())
    }
    return item
  }
}

/// A document on disk in the state of its last read or write.
struct DiskRevision: Sendable {
  let status: FileStatus
  /// The members, if it is a package and has the same form on disk as in memory.
  let package: PackageSnapshot?
  /// The members of a package in an app's format.
  private let listing: ItemListing?

  private let mark: ItemMark

  init(
    status: FileStatus, package: PackageSnapshot?, listing: ItemListing? = nil, at path: FilePath
  ) {
    self.status = status
    self.package = package
    self.listing = listing
    mark = ItemMark(status, at: path)
  }

  /// Returns the same item with another status, at another location; blocks.
  func with(_ status: FileStatus, at path: FilePath) -> DiskRevision {
    DiskRevision(status: status, package: package, listing: listing, at: path)
  }

  var isPackage: Bool { status.kind == .folder }

  /// The modification time in the file system.
  var modificationDate: Date {
    Date(timeIntervalSince1970: Double(status.modified) / 1e9)
  }

  /// The permission bits of a file; `nil` for a package, whose members have their own.
  var permissions: Int? { isPackage ? nil : Int(status.permissions) }

  /// Returns whether the item at a URL is still this revision; blocks while it reads statuses.
  func isPresent(at url: URL) throws -> Bool {
    guard let present = try FileStatus.of(url.filePath), present.isSameItem(as: status) else {
      return false
    }
    if let package { return try package.matchesContents(of: url) }
    if let listing { return try listing.isUnchanged(at: url.filePath) }
    return present.isSameContent(as: status)
  }

  /// Returns whether the item at a URL is this item, in whatever state; blocks.
  func isItem(at url: URL) throws -> Bool {
    try mark.isMark(of: url.filePath)
  }

  /// Returns the new location of a renamed item in the same folder; `nil` if it isn't there.
  ///
  /// This blocks.
  func neighbour(of url: URL) throws -> URL? {
    try mark.newPlace(of: url.filePath).map { URL(filePath: $0.string) }
  }
}

/// Reading; all of it blocks.
extension DiskRevision {
  /// The result of reading.
  struct Reading: Sendable {
    let contents: DocumentContents
    let revision: DiskRevision
    /// The bytes of a file on disk; `nil` if they are too many to keep in addition to the result of a format.
    let bytes: Data?
  }

  /// Reads the document at a URL.
  ///
  /// - Throws: ``FileError``: `not-found`, `not-permitted`, `too-large`, `changing`, and `unsupported-kind` for an item
  ///   that is neither a file nor a folder; the errors of a format.
  static func read(_ url: URL, as form: DiskForm) throws -> Reading {
    let path = try url.filePath
    guard let status = try FileStatus.of(path) else {
      throw FileError(
        .notFound, path: path, message: "There is no document “\(Printable.text(path.lastName))”.")
    }
    guard status.kind == .file || status.kind == .folder else {
      throw FileError(
        .unsupportedKind, path: path,
        message: "“\(Printable.text(path.lastName))” is neither a file nor a folder.")
    }
    if let format = form.format { return try read(url, path, by: format, form) }
    if status.kind == .file {
      let listing = try ItemListing(
        reading: path, expect: form.expect(_:), progress: form.advance(_:))
      let bytes = Data(listing.contents ?? [])
      return Reading(
        contents: .data(bytes),
        revision: DiskRevision(status: listing.status, package: nil, at: path),
        bytes: bytes)
    }
    form.expect(try ItemListing(path).bytes)
    // All bytes, because a member that wasn't edited here has to be written again if another program replaces it.
    let package = try PackageSnapshot(url: url, options: .immediate)
    form.progress.completedUnitCount = form.progress.totalUnitCount
    return Reading(
      contents: .package(package),
      revision: DiskRevision(status: status, package: package, at: path),
      bytes: nil)
  }

  /// Reads a document that doesn't change while it is read.
  private static func read(
    _ url: URL, _ path: FilePath, by format: any DocumentFileFormat, _ form: DiskForm
  ) throws -> Reading {
    for _ in 1...3 {
      let listing = try ItemListing(path)
      form.expect(listing.bytes)
      let contents = try format.read(from: url, ofType: form.type, progress: form.progress)
      let bytes = try bytes(of: listing, at: path)
      guard try listing.isUnchanged(at: path) else { continue }
      let revision = DiskRevision(
        status: listing.status, package: nil, listing: listing.isPackage ? listing : nil, at: path)
      return Reading(contents: contents, revision: revision, bytes: bytes)
    }
    throw FileError(
      .changing, path: path, message: "“\(Printable.text(path.lastName))” keeps changing.")
  }

  /// Returns the bytes of a file on disk; `nil` for a package, or if they are too many.
  private static func bytes(of listing: ItemListing, at path: FilePath) throws -> Data? {
    guard !listing.isPackage, listing.bytes <= mostBytesBeside else { return nil }
    return try ItemListing(reading: path).contents.map { Data($0) }
  }

  private static let mostBytesBeside = 64 << 20
}

/// Writing; all of it blocks.
extension DiskRevision {
  /// Writes contents safely: a crash leaves either the old document or the new one.
  ///
  /// This blocks until the contents are on disk.
  ///
  /// - Parameters:
  ///   - contents: the new contents.
  ///   - url: the destination.
  ///   - form: the form to write them in.
  ///   - former: the item to replace; `nil` if no item may exist there.
  ///   - isMadeOfFormer: whether the contents are based on the item to replace.
  /// - Returns: the written file, with its bytes as in ``Reading/bytes``.
  /// - Throws: ``FileError`` with code `changing` or `exists` if another item is there, which stays unchanged.
  static func write(
    _ contents: DocumentContents, to url: URL, as form: DiskForm, replacing former: DiskRevision?,
    isMadeOfFormer: Bool = true
  ) throws -> (revision: DiskRevision, bytes: Data?) {
    try form.progress.checkCancellation()
    let path = try url.filePath
    guard try former?.isPresent(at: url) ?? (FileStatus.of(path) == nil) else {
      let name = "“\(Printable.text(path.lastName))”"
      throw former == nil
        ? FileError(.exists, path: path, message: "\(name) already exists.")
        : FileError(
          .changing, path: path, message: "\(name) isn’t what was last read or written.")
    }
    let original = former != nil && isMadeOfFormer ? url : nil
    if let format = form.format {
      let old = try former.map { _ in try ItemListing(path, limits: nil) }
      try DocumentWriter.replaceElsewhere(path, displacing: old, attributes: form.itemAttributes) {
        place in
        try FileError.typed(to: "write", place) {
          try format.write(
            contents, to: URL(filePath: place.string), ofType: form.type,
            originalContentsURL: original, progress: form.progress)
        }
      }
      let listing = try ItemListing(path, limits: nil)
      let revision = DiskRevision(
        status: listing.status, package: nil, listing: listing.isPackage ? listing : nil, at: path)
      return (revision, try bytes(of: listing, at: path))
    }
    switch contents {
    case .data(let data):
      let old = try former.map { _ in try ItemListing(path, limits: nil) }
      let isExecutable = former?.status.isExecutable ?? false
      form.expect(data.count)
      let file = DocumentItem.file(
        isExecutable: isExecutable, contents: FileContents(Array(data)))
      try DocumentWriter.replaceElsewhere(
        path, with: .attributed(form.itemAttributes, file), displacing: old,
        progress: form.advance(_:))
      return (DiskRevision(status: try status(of: path), package: nil, at: path), data)
    case .package(let package):
      try package.write(to: url, originalContentsURL: original)
      return (DiskRevision(status: try status(of: path), package: package, at: path), nil)
    }
  }

  /// Writes contents to a new document beside another, such as "Note copy.md" or "Note copy 2.md".
  static func writeCopy(
    _ contents: DocumentContents, beside url: URL, as form: DiskForm
  ) throws -> URL {
    var number = 1
    while true {
      let place = url.copy(number: number)
      do {
        _ = try write(contents, to: place, as: form, replacing: nil)
        return place
      } catch let error as FileError where error.code == .exists && number < 10_000 {
        number += 1
      }
    }
  }

  private static func status(of path: FilePath) throws -> FileStatus {
    guard let status = try FileStatus.of(path) else {
      throw FileError(
        .changing, path: path,
        message: "“\(Printable.text(path.lastName))” disappeared while it was being written.")
    }
    return status
  }
}

extension URL {
  /// Returns the name of a copy beside this document.
  fileprivate func copy(number: Int) -> URL {
    let name = deletingPathExtension().lastPathComponent
    let copy = number == 1 ? "\(name) copy" : "\(name) copy \(number)"
    let folder = deletingLastPathComponent()
    return pathExtension.isEmpty
      ? folder.appending(path: copy) : folder.appending(path: "\(copy).\(pathExtension)")
  }
}
