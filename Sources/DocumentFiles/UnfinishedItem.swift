internal import CFileSystem

/// A new file or folder that is open, and lacks something.
protocol UnfinishedItem: AnyObject, Sendable {
  /// How much is held in memory for it, in bytes.
  var heldBytes: Int { get }
  /// Gives it what it lacks.
  func finish() throws(FileError)
  /// Lets it be written to the disk while nobody waits yet.
  func beginSynchronizing()
  /// Waits until it is on the disk.
  func synchronize() throws(FileError)
}

/// A folder that nobody else looks into until it is complete.
final class UnfinishedFolder: UnfinishedItem {
  private let folder: Descriptor
  /// Those it shall have; nil for those it has.
  private let permissions: UInt32?

  init(_ folder: consuming Descriptor, permissions: UInt32?) {
    self.folder = folder
    self.permissions = permissions
  }

  var heldBytes: Int { 0 }

  func finish() throws(FileError) {
    if let permissions { try folder.setPermissions(permissions) }
  }

  /// Its names are written when they are waited for.
  func beginSynchronizing() {}

  func synchronize() throws(FileError) { try folder.synchronize() }
}

/// A file that was created, and the bytes that it shall have.
final class UnfinishedFile: UnfinishedItem {
  private let file: Descriptor
  private let bytes: [UInt8]?
  private let isExecutable: Bool
  private let model: ItemModel?
  private let attributes: ItemAttributes
  private let note: WrittenFileNote?

  /// - Parameters:
  ///   - file: the file, open for writing.
  ///   - bytes: what it shall hold; nil where that is written.
  ///   - isExecutable: whether it shall be a program.
  ///   - model: what it takes over.
  ///   - attributes: what is not taken over.
  ///   - note: told of the bytes, once they are written.
  init(
    _ file: consuming Descriptor, _ bytes: [UInt8]?, isExecutable: Bool,
    like model: ItemModel?, attributes: ItemAttributes, note: WrittenFileNote?
  ) {
    self.file = file
    self.bytes = bytes
    self.isExecutable = isExecutable
    self.model = model
    self.attributes = attributes
    self.note = note
  }

  var heldBytes: Int { bytes?.count ?? 0 }

  func finish() throws(FileError) {
    if let bytes { try file.writeAll(bytes[...]) }
    model?.handOverAttributes(to: file)
    let status = try file.status()
    let bits = try model?.handOverOwner(to: file, status) ?? status.permissions
    let permissions =
      attributes.permissions ?? bits.withExecutableBit(isExecutable)
    if permissions != status.permissions { try file.setPermissions(permissions) }
    if let modified = attributes.modified { try file.setModified(modified) }
    if let bytes, let note { note(bytes, try file.status()) }
  }

  func beginSynchronizing() { docversions_begin_synchronizing(file.number) }

  func synchronize() throws(FileError) { try file.synchronize() }
}

/// Told of a file that was written, on any thread: its bytes, and its status after the last change.
package typealias WrittenFileNote = @Sendable (_ bytes: [UInt8], _ status: FileStatus) -> Void

extension UInt32 {
  /// Permission bits with the executable bit set where reading is allowed, or cleared.
  func withExecutableBit(_ isExecutable: Bool) -> UInt32 {
    guard isExecutable != (self & 0o100 != 0) else { return self }
    return isExecutable ? self | (self & 0o444) >> 2 : self & ~0o111
  }
}
