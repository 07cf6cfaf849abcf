internal import DocumentFiles
internal import Foundation

/// Makes one document of two.
struct Joining {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Makes one document of two; see ``VersionStore/join(_:with:)``.
  func join(_ document: URL, with other: URL) throws -> FileVersion {
    let (location, added) = (try place(of: document), try place(of: other))
    try check(location, added)
    guard !environment.isDryRun else {
      return try environment.reading(document) { try $0.currentVersion() }
    }
    let path = try environment.reportingErrors(of: location) {
      try environment.withWriter(at: location) { try $0.heads.current().facts.path }
    }
    let joined = try environment.reportingErrors(of: added) {
      try fold(added, into: location, named: path)
    }
    return try environment.reading(joined.url) { try $0.currentVersion() }
  }

  private func place(of document: URL) throws -> DocumentLocation {
    let location = try StoreSearch(environment).followingRename(
      of: DocumentLocation(of: document), movingStore: true)
    guard try location.hasStore else { throw location.noVersions }
    return location
  }

  private func check(_ location: DocumentLocation, _ other: DocumentLocation) throws {
    func refuse(_ message: String, _ hint: String) -> VersionError {
      VersionError(
        .invalidArgument, document: other.printable, message: message, hint: hint)
    }
    guard location != other else {
      throw refuse(
        "“\(location.printable)” is one document already.", "Name two documents.")
    }
    guard location.container == other.container else {
      throw refuse(
        """
        “\(location.printable)” and “\(other.printable)” are not in one container, and each keeps its own \
        versions.
        """, "Move one of them to the container of the other one.")
    }
    let kinds = try [location, other].compactMap { try FileStatus.of($0.document)?.kind }
    guard Set(kinds.map { $0 == .folder }).count < 2 else {
      throw refuse(
        "One of “\(location.printable)” and “\(other.printable)” is a folder, and the other one a file.",
        "Name two files, or two packages.")
    }
  }

  /// Gives a document all that another one has, and takes that away.
  ///
  /// Wherever this ends, done again it goes on: the other document's file goes when its versions are safe, and its store
  /// last.
  ///
  /// - Parameter path: the path that the other document's versions get, so that both agree on it; nil where they keep
  ///   theirs.
  /// - Returns: where the one document is.
  @discardableResult
  func fold(
    _ other: DocumentLocation, into location: DocumentLocation, named path: String? = nil
  ) throws -> DocumentLocation {
    try LiveDatabase.refuseWriting(other.document)
    try environment.withWriter(at: other) { source in
      let reader = source.reader
      let present = try reader.document.copy()
      try source.keepName(of: present)
      try source.keepEdits(present)
      if let path { try source.rename(to: path) }
      try environment.withWriter(at: location) { try $0.takeAll(of: reader) }
      if let present = try reader.document.copy() {
        guard try reader.document.shownVersion(present) != nil else {
          throw FileError(
            .changing, path: other.document,
            message: "“\(other.printable)” was changed meanwhile; it is untouched.")
        }
        try DocumentWriter.remove(
          other.document, displacing: present.listing,
          mark: reader.documentIdentifier.description)
      }
      tidyUp { try ChangeJournal(of: other.container).record(other.path) }
      try Folder.removeTree(other.store)
    }
    try environment.withWriter(at: location) { try $0.showCurrentVersion() }
    // Where it cannot have its name yet, it gets it later.
    return try Renaming(environment).followCurrentName(of: location) { _ in }
  }
}

extension StoreWriter {
  /// Makes a version with another name of every version in charge that has a name at all.
  fileprivate func rename(to path: String) throws {
    for head in try heads.divergent() where head.record.content != nil && !head.lacksContent {
      guard !head.record.facts.path.hasBytes(of: path) else { continue }
      var facts = try reader.facts(
        .rename, following: head.record, content: head.record.content,
        modified: head.record.facts.modified)
      facts.path = path
      let isShown = try heads.base()?.id == head.record.id
      let record = try append(facts, to: head.record, isShown: isShown)
      if isShown { try setBase(record) }
    }
  }
}
