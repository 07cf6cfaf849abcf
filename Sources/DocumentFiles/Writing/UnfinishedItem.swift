internal import CFileSystem
internal import SystemPackage

/// A new file or folder that is open, and lacks something.
protocol UnfinishedItem: AnyObject, Sendable {
  /// How much is held in memory for it, in bytes.
  var heldBytes: Int { get }
  /// Gives it what it lacks; then it only has to reach the disk.
  func finish() throws(FileError) -> OpenItem
}

/// A file or folder that stays open as long as somebody holds it.
final class OpenItem: Sendable {
  let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Lets the system begin to write a file to the disk, while nobody waits for it yet.
  ///
  /// - Throws: ``FileError`` for what may be told only once: that there is no room for it.
  func beginSynchronizing() throws(FileError) {
    guard docversions_begin_synchronizing(descriptor.number) == 0 else {
      throw .failed(to: "write to disk", descriptor.path, .current)
    }
  }
}

/// A folder that nobody else looks into until it is complete.
final class UnfinishedFolder: UnfinishedItem {
  private let folder: OpenItem
  /// Those it shall have; nil for those it has.
  private let permissions: UInt32?

  init(_ folder: consuming Descriptor, permissions: UInt32?) {
    self.folder = OpenItem(folder)
    self.permissions = permissions
  }

  var heldBytes: Int { 0 }

  func finish() throws(FileError) -> OpenItem {
    if let permissions { try folder.descriptor.setPermissions(permissions) }
    return folder
  }
}

/// A file that was created, and the bytes that it shall have.
final class UnfinishedFile: UnfinishedItem {
  private let file: OpenItem
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
    _ file: consuming Descriptor, _ bytes: [UInt8]?, isExecutable: Bool, like model: ItemModel?,
    attributes: ItemAttributes, note: WrittenFileNote?
  ) {
    self.file = OpenItem(file)
    self.bytes = bytes
    self.isExecutable = isExecutable
    self.model = model
    self.attributes = attributes
    self.note = note
  }

  var heldBytes: Int { bytes?.count ?? 0 }

  func finish() throws(FileError) -> OpenItem {
    if let bytes { try file.descriptor.writeAll(bytes[...]) }
    model?.handOverAttributes(to: file.descriptor)
    let status = try file.descriptor.status()
    let bits = try model?.handOverOwner(to: file.descriptor, status) ?? status.permissions
    let permissions = attributes.permissions ?? withExecutableBit(bits)
    if permissions != status.permissions { try file.descriptor.setPermissions(permissions) }
    if let modified = attributes.modified { try file.descriptor.setModified(modified) }
    if let bytes, let note { note(bytes, try file.descriptor.status()) }
    return file
  }

  /// The permission bits with the executable bit set where reading is allowed, or cleared.
  private func withExecutableBit(_ bits: UInt32) -> UInt32 {
    guard isExecutable != (bits & 0o100 != 0) else { return bits }
    return isExecutable ? bits | (bits & 0o444) >> 2 : bits & ~0o111
  }
}

/// Told of a file that was written, on any thread: its bytes, and its status after the last change.
package typealias WrittenFileNote = @Sendable (_ bytes: [UInt8], _ status: FileStatus) -> Void
