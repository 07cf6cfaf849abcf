internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Checks that a store has all its parts, and that each is of the right kind.
struct LayoutCheck {
  let location: DocumentLocation
  let isHeadReadable: Bool
  let misplaced: [MisplacedItem]
  let findings: FindingList

  func run() throws {
    for item in misplaced {
      let message = "In the store, “\(item.file.printable)” is \(item.words)."
      if item.isHarmless {
        findings.notice(.foreignPart, message, file: item.file.string)
      } else {
        findings.damage(.foreignPart, message, file: item.file.string)
      }
    }
    for (name, error) in try StoreSafety.wrongParts(of: location.store)
    where name != StoreFile.head.name {
      let isReported = name.map { name in misplaced.contains { $0.file == FilePath(name) } }
      guard !(isReported ?? !misplaced.isEmpty) else { continue }
      findings.damage(.foreignPart, "In the store, \(error.message).", file: name)
    }
    for file in [StoreFile.hooks, .grafts, .shallow, .httpAlternates]
    where try FileStatus.of(file.path(in: location.store)) != nil {
      findings.notice(
        .foreignPart, "The store has a “\(file.name)” that no store needs; it is not used.",
        file: file.name)
    }
    try checkWithLibrary()
    if try StoreReadership(of: location).exposedItem() != nil {
      findings.notice(.permissions, "Users can read the store who can’t read the document.")
    }
  }

  /// Checks what else libgit2 rejects.
  private func checkWithLibrary() throws {
    guard findings.all.isEmpty, isHeadReadable else { return }
    do {
      try GitLibrary.check(repository: location.store)
    } catch {
      if error.isForeign || error.isFromSystem { throw error }
      findings.damage(
        .configuration, "The store can’t be opened: \(error.message).",
        file: StoreFile.config.name)
    }
  }
}

/// Compares the config with the records.
struct ConfigurationCheck {
  let store: FilePath
  let records: [ObjectID: Record]
  let findings: FindingList

  func run() throws {
    guard let identity = try configuredIdentity() else { return }
    let others = Set(records.values.map(\.facts.document)).filter { !identity.contains($0) }
    if let other = others.min() {
      damage(
        "The config names the document \(identity.identifier); its versions say \(other).")
    }
  }

  /// Returns the document's ids in the config; reports damage, and then returns `nil`.
  private func configuredIdentity() throws -> DocumentIdentity? {
    do {
      let values = try StoreSafety.configuration(of: store)
      if values["docversions.format"] == "1",
        let identity = DocumentIdentity(configuration: values)
      {
        return identity
      }
      damage("The config is not one of a document’s store.")
    } catch let error as GitError {
      damage("The config is damaged: \(error.message).")
    } catch let error as FileError where [.unsupportedKind, .tooLarge].contains(error.code) {
      damage("The config is invalid.")
    }
    return nil
  }

  private func damage(_ message: String) {
    findings.damage(.configuration, message, file: StoreFile.config.name)
  }
}
