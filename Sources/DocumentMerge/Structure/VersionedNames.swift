/// The names of texts with a version, such as `numpy` in `numpy==1.17`.
struct VersionedNames {
  /// The names that occur twice in a list.
  private var doubled: Set<[UInt8]> = []

  /// Reads the names of the texts in three lists.
  init(of sides: MergeSides<[[UInt8]]>) {
    for texts in sides.all {
      var seen: Set<[UInt8]> = []
      for name in texts.map(Self.name) where !seen.insert(name).inserted { doubled.insert(name) }
    }
  }

  /// Returns the name of a text; the whole text if it has no version, or if its name occurs twice.
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
