internal import DocumentFiles
internal import SystemPackage

/// What an access to an item concerns, of all that is presented.
///
/// Paths are compared by their bytes: a program may present thousands of items.
struct ItemReach: Sendable {
  /// How a presented item is concerned.
  enum Concern: Sendable {
    /// It is the item, or in a folder of which all is accessed.
    case item
    /// It is a folder that the item is in.
    case folder
  }

  private let path: [UInt8]
  private let isOfAllInside: Bool

  init(_ path: FilePath, isOfAllInside: Bool) {
    self.path = path.bytes
    self.isOfAllInside = isOfAllInside
  }

  /// How a presented item is concerned; nil where it is not.
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
