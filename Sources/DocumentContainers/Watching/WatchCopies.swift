internal import DocumentFiles
internal import SystemPackage

/// The conflicted copies in a watched folder: those that are about to be taken in, and those that take a decision.
struct WatchCopies {
  private var settling = SettlingFiles(pause: .seconds(1))
  /// The document of each copy that is there.
  private var documents: [FilePath: FilePath] = [:]
  /// The copies that stay until their document changes, or a person decides.
  private var left: Set<FilePath> = []
  /// Since when documents are not saved, because copies of them are about to be taken in.
  private var holds: [FilePath: ContinuousClock.Instant] = [:]

  /// A document is saved after this time, whatever keeps its copies from being taken in.
  private static let longestHold = Duration.seconds(60)

  /// Takes note of copies that have appeared or changed.
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

  /// Considers copies again in a moment.
  mutating func touch(
    again copies: [FilePath], at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) {
    for copy in copies { settling.touch(copy, status(copy), at: now) }
  }

  /// Considers the copies of a document again that were left: it has changed.
  mutating func retry(
    besides document: FilePath, at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) {
    guard !left.isEmpty else { return }
    for copy in left where documents[copy] == document {
      settling.touch(copy, status(copy), at: now)
    }
  }

  /// Takes those out that have been left alone for a moment.
  mutating func takeDue(
    at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) -> [FilePath] {
    let due = settling.takeDue(at: now, status: status)
    for copy in documents.keys where status(copy) == nil { forget(copy) }
    return due
  }

  /// Takes all out that are as they were at their last change.
  mutating func takeAll(
    at now: ContinuousClock.Instant, status: (FilePath) -> FileStatus?
  ) -> [FilePath] {
    settling.takeAll(at: now, status: status).map(\.file)
  }

  /// Takes note of what came of copies.
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

  /// Returns whether a document has copies that are not taken in.
  func areLeft(of document: FilePath) -> Bool { documents.values.contains(document) }

  /// The document of a copy.
  func document(of copy: FilePath) -> FilePath? { documents[copy] }

  /// All copies of the documents of some.
  func together(with copies: [FilePath]) -> [FilePath] {
    let wanted = Set(copies.compactMap { documents[$0] })
    return documents.filter { wanted.contains($0.value) }.map(\.key).sorted {
      $0.string < $1.string
    }
  }

  /// The copies that were left of the documents of some, where these are missing.
  func leftSides(besides copies: [FilePath], isMissing: (FilePath) -> Bool) -> [FilePath] {
    let missing = Set(copies.compactMap { documents[$0] }.filter(isMissing))
    return left.filter { documents[$0].map(missing.contains) ?? false && !copies.contains($0) }
  }

  /// Returns whether a document is not saved yet, because a copy of it is about to be taken in: what is in its place may be
  /// another device’s, and does not follow its version then.
  func holds(_ document: FilePath, at now: ContinuousClock.Instant) -> Bool {
    holds[document].map { now - $0 < Self.longestHold } ?? false
  }

  /// When the next one may be due.
  var nextDue: ContinuousClock.Instant? { settling.nextDue() }

  /// Those that take a decision.
  var waiting: [FilePath] { left.sorted { $0.string < $1.string } }
}
