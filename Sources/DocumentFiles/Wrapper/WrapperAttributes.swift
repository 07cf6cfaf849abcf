internal import Foundation

/// The attributes of a node, which the file system keeps in addition to its contents: Foundation's
/// dictionary, and a date that is more exact than `Date`.
struct WrapperAttributes {
  var values: [FileAttributeKey: Any] = [:]
  /// The modification date that was read, in nanoseconds since 1970.
  private var modified: Int64?

  /// Creates no attributes; the file system chooses them.
  init() {}

  /// Takes the attributes of an item on disk.
  init(_ status: FileStatus) {
    let type: FileAttributeType =
      switch status.kind {
      case .folder: .typeDirectory
      case .symbolicLink: .typeSymbolicLink
      case .file, .other: .typeRegular
      }
    values = [.type: type, .size: status.size]
    setPermissions(Int(status.permissions))
    setModified(status.modified)
  }

  mutating func setPermissions(_ permissions: Int) {
    values[.posixPermissions] = permissions
  }

  mutating func setModified(_ modified: Int64) {
    self.modified = modified
    values[.modificationDate] = Date(timeIntervalSince1970: Double(modified) / 1e9)
  }

  /// The attributes to write.
  var item: ItemAttributes {
    var item = ItemAttributes()
    item.permissions = permissions
    if let date = values[.modificationDate] as? Date {
      // A date keeps its nanoseconds from reading, unless the app has set another one.
      let seconds = date.timeIntervalSince1970
      if let modified, abs(Double(modified) / 1e9 - seconds) < 1e-6 {
        item.modified = modified
      } else if abs(seconds) < 9e9 {
        item.modified = Int64((seconds * 1e9).rounded())
      }
    }
    return item
  }

  var permissions: UInt32? {
    let value = values[.posixPermissions]
    // FileManager provides an object, which only a cast to a concrete type treats as a number. Naming its
    // class would link the older half of Foundation.
    let number: (any BinaryInteger)? = (value as? any BinaryInteger) ?? (value as? Int)
    return number.map { UInt32(truncatingIfNeeded: $0) & 0o7777 }
  }
}
