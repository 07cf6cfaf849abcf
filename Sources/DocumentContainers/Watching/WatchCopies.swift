internal import DocumentFiles
internal import SystemPackage

/// The conflicted copies in a watched folder: those that are about to be adopted, and those that need a
/// decision.
struct WatchCopies {
  private var settling = SettlingFiles(pause: .seconds(1))
  /// The document of each existing copy.
  private var documents: [FilePath: FilePath] = [:]
  /// The copies that stay until their document changes, or a person decides.
  private var left: Set<FilePath> = []
  /// The times since when documents aren't saved because copies of them are about to be adopted.
  private var holds: [FilePath: ContinuousClock.Instant] = [:]

  /// The time after which a document is saved even if its copies can't be adopted.
  private static let longestHold = Duration.seconds(60)

  /// Records copies that have appeared or changed.
  mutating func touch(
    _ copies: [FilePath: FilePath], at now: ContinuousClock.Instant, age: Duration = .zero,
    status: (FilePath) -> FileStatus?
  ) {
    for (copy, document) in copies {
      documents[copy] = document
      holds[document] = holds[document] ?? now
      settling.touch(copy, status(copy), at: now, age: age)
    }
  }

  /// Has copies considered again in a moment.
  mutating func touch(
    again copies: [FilePath], at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) {
    for copy in copies { settling.touch(copy, status(copy), at: now) }
  }

  /// Has the remaining copies of a document considered again, because the document has changed.
  mutating func retry(
    besides document: FilePath, at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) {
    guard !left.isEmpty else { return }
    for copy in left where documents[copy] == document {
      settling.touch(copy, status(copy), at: now)
    }
  }

  /// Removes and returns the copies that have been left alone for a moment.
  mutating func takeDue(
    at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) -> [FilePath] {
    let due = settling.takeDue(at: now, status: status)
    for copy in documents.keys where status(copy) == nil { forget(copy) }
    return due
  }

  /// Removes all copies, and returns those that haven't changed since their last recorded change.
  mutating func takeAll(
    at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) -> [FilePath] {
    settling.takeAll(at: now, status: status).map(\.file)
  }

  /// Records the results of adopting copies.
  mutating func settle(_ copies: [FilePath], left stays: Set<FilePath>) {
    for copy in copies {
      if stays.contains(copy) { left.insert(copy) } else { forget(copy) }
    }
    for copy in copies { documents[copy].map { holds[$0] = nil } }
  }

  private mutating func forget(_ copy: FilePath) {
    left.remove(copy)
    guard let document = documents.removeValue(forKey: copy) else { return }
    if !documents.values.contains(document) { holds[document] = nil }
  }

  /// Returns whether a document has copies that aren't adopted.
  func areLeft(of document: FilePath) -> Bool { documents.values.contains(document) }

  /// Returns the document of a copy.
  func document(of copy: FilePath) -> FilePath? { documents[copy] }

  /// Returns all copies of the documents that some copies belong to.
  func together(with copies: [FilePath]) -> [FilePath] {
    let wanted = Set(copies.compactMap { documents[$0] })
    return documents.filter { wanted.contains($0.value) }.map(\.key).sorted {
      $0.string < $1.string
    }
  }

  /// Returns the remaining copies of those documents of some copies that are missing.
  func leftSides(besides copies: [FilePath], isMissing: (FilePath) -> Bool) -> [FilePath] {
    let missing = Set(copies.compactMap { documents[$0] }.filter(isMissing))
    return left.filter { documents[$0].map(missing.contains) ?? false && !copies.contains($0) }
  }

  /// Returns whether a document isn't saved yet because a copy of it is about to be adopted.
  ///
  /// Its present contents may be another device's, and then don't follow its version.
  func holds(_ document: FilePath, at now: ContinuousClock.Instant) -> Bool {
    holds[document].map { now - $0 < Self.longestHold } ?? false
  }

  /// The time when the next copy may be due.
  var nextDue: ContinuousClock.Instant? { settling.nextDue() }

  /// The copies that need a decision.
  var waiting: [FilePath] { left.sorted { $0.string < $1.string } }
}
