internal import DocumentFiles
internal import SystemPackage

/// The presented items that an access to an item concerns.
///
/// Paths are compared as bytes for speed, because a program may present thousands of items.
struct ItemReach: Sendable {
  /// The way in which an access concerns a presented item.
  enum Concern: Sendable {
    /// It is the item, or in a folder that is accessed with its contents.
    case item
    /// It is a folder around the item.
    case folder
  }

  private let path: [UInt8]
  private let isOfAllInside: Bool

  init(_ path: FilePath, isOfAllInside: Bool) {
    self.path = path.bytes
    self.isOfAllInside = isOfAllInside
  }

  /// Returns the way in which the access concerns a presented item; `nil` if it doesn't.
  func concern(of presented: ArraySlice<UInt8>) -> Concern? {
    if presented.elementsEqual(path) { return .item }
    if isOfAllInside, Self.isInside(presented, path[...]) { return .item }
    return Self.isInside(path[...], presented) ? .folder : nil
  }

  private static func isInside(_ path: ArraySlice<UInt8>, _ folder: ArraySlice<UInt8>) -> Bool {
    let slash = UInt8(ascii: "/")
    guard path.count > folder.count, path.starts(with: folder) else { return false }
    return folder.last == slash || path[path.startIndex + folder.count] == slash
  }
}
