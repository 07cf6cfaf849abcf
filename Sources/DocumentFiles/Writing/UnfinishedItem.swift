internal import SystemPackage

/// An open new file or folder that is not complete.
protocol UnfinishedItem: AnyObject, Sendable {
  /// The number of bytes that are held in memory for it.
  var heldBytes: Int { get }
  /// Completes the item, which then only has to reach the disk.
  func finish() throws(FileError) -> OpenItem
}

/// A file or folder that stays open while it is referenced.
final class OpenItem: Sendable {
  let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}

/// A folder that is closed to other users until it is complete.
final class UnfinishedFolder: UnfinishedItem {
  private let folder: OpenItem
  /// The permission bits of the complete folder; `nil` to keep its present bits.
  private let permissions: UInt32?
  /// The modification time, in nanoseconds since 1970; `nil` for the present time.
  private let modified: Int64?

  init(_ folder: consuming Descriptor, permissions: UInt32?, modified: Int64? = nil) {
    self.folder = OpenItem(folder)
    self.permissions = permissions
    self.modified = modified
  }

  var heldBytes: Int { 0 }

  func finish() throws(FileError) -> OpenItem {
    if let modified { try folder.descriptor.setModified(modified) }
    if let permissions { try folder.descriptor.setPermissions(permissions) }
    return folder
  }
}

/// A new file, and its future bytes.
final class UnfinishedFile: UnfinishedItem {
  private let file: OpenItem
  private let bytes: [UInt8]?
  private let isExecutable: Bool
  private let model: ItemModel?
  private let attributes: ItemAttributes
  private let onFile: WrittenFileHandler?

  /// - Parameters:
  ///   - file: the file, open for writing.
  ///   - bytes: its bytes; `nil` if they are already written.
  ///   - isExecutable: whether it is executable.
  ///   - model: the item whose attributes it takes over.
  ///   - attributes: the attributes that are not taken over.
  ///   - onFile: called with the bytes, once they are written.
  init(
    _ file: consuming Descriptor, _ bytes: [UInt8]?, isExecutable: Bool, like model: ItemModel?,
    attributes: ItemAttributes, onFile: WrittenFileHandler?
  ) {
    self.file = OpenItem(file)
    self.bytes = bytes
    self.isExecutable = isExecutable
    self.model = model
    self.attributes = attributes
    self.onFile = onFile
  }

  var heldBytes: Int { bytes?.count ?? 0 }

  func finish() throws(FileError) -> OpenItem {
    if let bytes { try file.descriptor.writeWhole(bytes) }
    model?.handOverAttributes(to: file.descriptor)
    let status = try file.descriptor.status()
    let most = attributes.most.map { $0 | 0o400 } ?? 0o777
    let bits = try (model?.handOverOwner(to: file.descriptor, status) ?? status.permissions) & most
    let permissions = attributes.permissions ?? (withExecutableBit(bits) & 0o777)
    if permissions != status.permissions { try file.descriptor.setPermissions(permissions) }
    if let modified = attributes.modified { try file.descriptor.setModified(modified) }
    if let bytes, let onFile { onFile(bytes, try file.descriptor.status()) }
    return file
  }

  /// Returns the permission bits with the executable bit set where reading is allowed, or cleared.
  private func withExecutableBit(_ bits: UInt32) -> UInt32 {
    guard isExecutable != (bits & 0o100 != 0) else { return bits }
    return isExecutable ? bits | (bits & 0o444) >> 2 : bits & ~0o111
  }
}

/// Called on any thread for a written file, with its bytes and its status after the last change.
package typealias WrittenFileHandler = @Sendable (_ bytes: [UInt8], _ status: FileStatus) -> Void
