/// The names of texts with a version, such as `numpy` in `numpy==1.17`.
struct VersionedNames {
  /// The names that a list has twice.
  private var doubled: Set<[UInt8]> = []

  /// The names of the texts in three lists.
  init(of sides: MergeSides<[[UInt8]]>) {
    for texts in sides.all {
      var seen: Set<[UInt8]> = []
      for name in texts.map(Self.name) where !seen.insert(name).inserted { doubled.insert(name) }
    }
  }

  /// The name of a text: all that it says if it has no version, or if there are two of its name.
  func name(of text: [UInt8]) -> [UInt8] {
    let name = Self.name(of: text)
    return doubled.contains(name) ? text : name
  }

  private static func name(of text: [UInt8]) -> [UInt8] {
    let name = text.prefix { !" =<>~!@".utf8.contains($0) }
    let version = text[name.endIndex...].drop { " =<>~!@v".utf8.contains($0) }
    let isVersion = version.first.map(\.isDigit)
    return isVersion ?? false && !name.isEmpty ? Array(name) : text
  }
}
