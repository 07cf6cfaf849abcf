internal import DocumentFiles

/// Matches new files and missing documents that all have the same contents.
///
/// Whole folders are moved, and some tools move them file by file, each time taking any file with the same
/// bytes. So all are matched together, by the strongest criterion first: the very file, unless it has the
/// name of another one of the documents; the longest common end of the path, including the name, as in a
/// moved folder; the very file in any case; the same folder; and finally that only one document and one file
/// are left. A criterion counts only if it matches one document and one file. The others stay unmatched,
/// because no match is better than a wrong one.
struct RenameAssignment {
  /// A missing document, or a file that may be it.
  struct Item {
    let path: String
    /// The identity of the file.
    let mark: String?
    /// The bytes of the path at which a document was found before.
    var destination: [UInt8]?
  }

  private let lost: [Item]
  private let found: [Item]
  /// The indices of the unmatched documents and files.
  private(set) var openDocuments: [Int]
  private(set) var openFiles: [Int]
  /// The indices of files by those of documents.
  private(set) var places: [Int: Int] = [:]

  /// - Parameters:
  ///   - isEmpty: whether the contents are empty, in which case they alone prove nothing.
  ///   - stands: whether a document with the same contents is at a path, from which a new file may have been
  ///     moved.
  init(
    of lost: [Item], among found: [Item], isEmpty: Bool, besides stands: (String) throws -> Bool
  ) throws {
    (self.lost, self.found) = (lost, found)
    (openDocuments, openFiles) = (Array(lost.indices), Array(found.indices))
    let names = (lost: lost.map { $0.path.pathNames() }, found: found.map { $0.path.pathNames() })
    let owners = Dictionary(grouping: lost.indices) { names.lost[$0].last ?? "" }
    try pair({ lost[$0].mark }, { found[$0].mark }) { document, file in
      owners[names.found[file].last ?? ""]?.allSatisfy { $0 == document } ?? true
    }
    let deepest = min(
      names.lost.map(\.count).max() ?? 0, names.found.map(\.count).max() ?? 0)
    func end(_ names: [String], _ count: Int) -> String? {
      names.count < count ? nil : names.suffix(count).joined(separator: "/")
    }
    for count in stride(from: deepest, to: 0, by: -1) {
      try pair({ end(names.lost[$0], count) }, { end(names.found[$0], count) })
    }
    try pair({ lost[$0].mark }, { found[$0].mark })
    try pair(
      { lost[$0].destination.map { String(decoding: $0, as: UTF8.self) } }, { found[$0].path })
    guard !isEmpty else { return }
    func mayBe(_ document: Int, _ file: Int) throws -> Bool {
      try !Self.others(names.lost[document], names.found[file]).contains(where: stands)
    }
    try pair(
      { names.lost[$0].dropLast().joined(separator: "/") },
      { names.found[$0].dropLast().joined(separator: "/") }, where: mayBe)
    try pair({ _ in "" }, { _ in "" }, where: mayBe)
  }

  /// Pairs a document and a file if no others share their key.
  private mutating func pair(
    _ lostKey: (Int) -> String?, _ foundKey: (Int) -> String?,
    where mayBe: (Int, Int) throws -> Bool = { _, _ in true }
  ) throws {
    guard !openDocuments.isEmpty, !openFiles.isEmpty else { return }
    let files = Self.byKey(openFiles, foundKey)
    var taken: Set<Int> = []
    for (key, documents) in Self.byKey(openDocuments, lostKey) where documents.count == 1 {
      guard let file = files[key], file.count == 1, !isPutAside(file[0], from: documents[0]),
        try mayBe(documents[0], file[0])
      else { continue }
      places[documents[0]] = file[0]
      taken.insert(file[0])
    }
    openDocuments.removeAll { places[$0] != nil }
    openFiles.removeAll(where: taken.contains)
  }

  private func isPutAside(_ file: Int, from document: Int) -> Bool {
    PutAsideName.isPutAside(
      ContainerPath.name(of: found[file].path), from: ContainerPath.name(of: lost[document].path))
  }

  private static func byKey(_ numbers: [Int], _ key: (Int) -> String?) -> [String: [Int]] {
    var groups: [String: [Int]] = [:]
    for number in numbers { if let key = key(number) { groups[key, default: []].append(number) } }
    return groups
  }

  /// Returns the paths from which a file would come if it was moved with the folder of a document, or with an
  /// outer one.
  private static func others(_ document: [String], _ file: [String]) -> [String] {
    var paths: [String] = []
    for start in 0..<document.count {
      for count in 1...max(file.count, 1) {
        let path = document.prefix(start) + file.suffix(count)
        if Array(path) != file { paths.append(path.joined(separator: "/")) }
      }
    }
    return paths
  }
}
