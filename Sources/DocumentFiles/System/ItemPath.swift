internal import SystemPackage

/// The path of an item, for messages.
///
/// The whole path is built only for a message, because in a walk through a deep tree each path would be
/// longer than the last.
indirect enum ItemPath: Sendable {
  case at(FilePath)
  case member([UInt8], of: ItemPath)

  /// The whole path.
  var path: FilePath {
    var names: [[UInt8]] = []
    var place = self
    while case .member(let name, let outer) = place {
      names.append(name)
      place = outer
    }
    guard case .at(let start) = place else { return FilePath() }
    guard !names.isEmpty else { return start }
    return start.pushing(
      FilePath(bytes: names.reversed().joined(separator: [UInt8(ascii: "/")])))
  }

  /// Returns the path of a member.
  func member(_ name: [UInt8]) -> ItemPath { .member(name, of: self) }
}
