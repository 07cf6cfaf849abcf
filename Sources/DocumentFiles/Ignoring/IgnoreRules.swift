package import SystemPackage

/// The rules that determine which files are ignored: the standard ones, and those of the lists in folders.
///
/// A list is a file ``fileName`` in the syntax of `.gitignore`. It applies to items below its folder, and
/// takes precedence over the lists of outer folders, which take precedence over the standard rules. In a
/// list, the last matching pattern decides.
package struct IgnoreRules: Sendable {
  /// The file name of a list.
  package static let fileName = ".docversionsignore"

  /// A pattern that makes an item ignored.
  package struct Rule: Sendable, Hashable {
    /// The pattern, as written in the list.
    package let pattern: String
    /// The path of the list; `nil` for a standard rule.
    package let list: String?
  }

  struct List: Sendable {
    /// The names that lead from the top to its folder.
    let depth: Int
    let patterns: [IgnorePattern]
    let file: FilePath?
    /// True if a number at the end of a name is ignored.
    let takesNumbers: Bool
    /// True if a pattern is compared with more than names.
    let needsPaths: Bool

    init(
      _ patterns: [IgnorePattern], depth: Int = 0, file: FilePath? = nil, takesNumbers: Bool = false
    ) {
      self.depth = depth
      self.patterns = patterns
      self.file = file
      self.takesNumbers = takesNumbers
      needsPaths = patterns.contains { !$0.isForNames }
    }
  }

  /// The lowest first.
  private var lists: [List]
  /// The folder whose items are matched, and its names from the top.
  private var folder: FilePath
  private var names: [[UInt8]] = []

  /// Creates the rules at the top of a container.
  ///
  /// - Throws: ``FileError`` for a list that can't be read.
  package init(_ purpose: Purpose, in container: FilePath) throws(FileError) {
    self.init(standard: StandardIgnoreRules.lists(for: purpose), in: container)
    try addList()
  }

  /// Creates the standard rules alone.
  init(standard lists: [List], in folder: FilePath = "") {
    self.lists = lists
    self.folder = folder
  }

  /// Returns the rules for the items of a folder further down.
  ///
  /// - Parameter hasList: whether the folder may have a list, as far as is known.
  /// - Throws: ``FileError`` for a list that can't be read.
  package func entering(
    _ name: [UInt8], hasList: Bool = true
  ) throws(FileError) -> IgnoreRules {
    var rules = self
    rules.folder = folder.appending(bytes: name)
    rules.names.append(name)
    if hasList { try rules.addList() }
    return rules
  }

  mutating func addList() throws(FileError) {
    let file = folder.appending(Self.fileName)
    // As in git, a link doesn't count as a list, and neither does a folder.
    guard try FileStatus.of(file)?.kind == .file, let bytes = try SmallFile.read(file) else {
      return
    }
    lists.append(List(Self.patterns(in: bytes), depth: names.count, file: file))
  }

  /// Returns the patterns in a list.
  static func patterns(in bytes: [UInt8], foldsCase: Bool = false) -> [IgnorePattern] {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return bytes[(bytes.starts(with: mark) ? 3 : 0)...]
      .split(separator: UInt8(ascii: "\n"))
      .compactMap { line in
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return IgnorePattern(line, foldsCase: foldsCase)
      }
  }

  /// Returns the rule that makes an item ignored; `nil` for an item that isn't ignored.
  ///
  /// The items of an ignored folder are ignored, too; this function doesn't check that.
  ///
  /// - Parameter path: the names in the item's path from the folder that was entered last.
  package func rule(for path: [[UInt8]], isFolder: Bool) -> Rule? {
    guard let name = path.last else { return nil }
    for list in lists.reversed() {
      let text =
        list.needsPaths
        ? Array((names.dropFirst(list.depth) + path).joined(separator: [UInt8(ascii: "/")])) : name
      let found = Self.last(in: list, text, name, isFolder)
      guard let found else { continue }
      return found.isException
        ? nil : Rule(pattern: String(decoding: found.line, as: UTF8.self), list: list.file?.string)
    }
    return nil
  }

  private static func last(
    in list: List, _ path: [UInt8], _ name: [UInt8], _ isFolder: Bool
  ) -> IgnorePattern? {
    func last(_ path: [UInt8], _ name: [UInt8]) -> IgnorePattern? {
      list.patterns.last { $0.matches(path, name: name, isFolder: isFolder) }
    }
    if let found = last(path, name) { return found }
    guard list.takesNumbers, let end = name.last, (48...57).contains(end) else { return nil }
    var plain = name[...]
    while let end = plain.last, (48...57).contains(end) { plain.removeLast() }
    if plain.last == UInt8(ascii: ".") { plain.removeLast() }
    return last(Array(plain), Array(plain))
  }
}
