internal import DocumentVersions

extension VersionArgument {
  /// The version of a document that the argument names.
  func version(of document: DocumentArgument, in store: SynchronousStore) throws -> FileVersion {
    do {
      return try store.version(VersionSelector(selector), of: document.url)
    } catch let error as VersionError where error.code == .noSuchVersion && isTime {
      throw tooEarly(error, for: try store.history(of: document.url), store)
    }
  }

  /// The version of a history that the argument names.
  func version(in history: DocumentHistory, for store: SynchronousStore) throws -> FileVersion {
    do {
      return try VersionSelector(selector).version(in: history, now: store.clock())
    } catch let error as VersionError where error.code == .noSuchVersion && isTime {
      throw tooEarly(error, for: history, store)
    }
  }

  private var isTime: Bool { selector.hasPrefix("@{") }

  /// Creates the error that names the time of the first save.
  ///
  /// Listings show when contents were modified, which may be much earlier.
  private func tooEarly(
    _ error: VersionError, for history: DocumentHistory, _ store: SynchronousStore
  ) -> VersionError {
    guard let first = history.versions.map(\.savingDate).min() else { return error }
    let time = ReadableTime(now: store.clock()).text(first)
    return VersionError(
      error.code, document: error.document,
      message: """
        “\(error.document)” had no version then: the first one here was saved \(time).
        """)
  }
}

extension [VersionArgument] {
  /// The versions that the arguments name, each once.
  func versions(in history: DocumentHistory, for store: SynchronousStore) throws -> [FileVersion] {
    var found: [FileVersion] = []
    for argument in self {
      let version = try argument.version(in: history, for: store)
      if !found.contains(version) { found.append(version) }
    }
    return found
  }
}
