internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// What the store consists of, and what it says of itself.
extension StoreExamination {
  /// The parts of a store, and none of another kind.
  func checkLayout() throws {
    for item in misplaced {
      let message = "In the store, “\(item.file.printable)” is \(item.words)."
      if item.isHarmless {
        notice(.foreignPart, message, file: item.file.string)
      } else {
        damage(.foreignPart, message, file: item.file.string)
      }
    }
    for (name, error) in try StoreInspection.wrongParts(of: location.store) where name != "HEAD" {
      let isNoted = name.map { name in misplaced.contains { $0.file == FilePath(name) } }
      guard !(isNoted ?? !misplaced.isEmpty) else { continue }
      damage(.foreignPart, "In the store, \(error.message).", file: name)
    }
    for name in ["hooks", "info/grafts", "shallow", "objects/info/http-alternates"]
    where try FileStatus.of(location.store.pushing(FilePath(name))) != nil {
      notice(
        .foreignPart, "The store has a “\(name)” that no store needs; it is not used.", file: name)
    }
    // Whatever else libgit2 does not like.
    guard findings.isEmpty, references.head != nil else { return }
    do {
      try GitLibrary.check(
        repository: location.store.withPlatformString { $0.nullTerminated })
    } catch {
      if error.isForeign || error.isFromSystem { throw error }
      damage(.configuration, "The store can’t be opened: \(error.message).", file: "config")
    }
  }

  /// What the config says, which must be what the records say.
  func checkIdentity() throws {
    let documents = Set(records.values.map(\.facts.document))
    if documents.count > 1 {
      damage(
        .record, "The versions are of \(documents.count) different documents.",
        versions: records.keys)
    }
    guard let said = try configuredIdentifier() else { return }
    if let other = documents.first(where: { $0 != said }) {
      damage(
        .configuration, "The config names the document \(said); its versions say \(other).",
        file: "config")
    }
  }

  /// The document's id as the config has it; nil where that is damaged, which is noted.
  private func configuredIdentifier() throws -> String? {
    do {
      let values = try StoreInspection.configuration(of: location.store)
      if values["docversions.format"] == "1", let id = values["docversions.document"],
        OpenStore.isIdentifier(id)
      {
        return id
      }
      damage(.configuration, "The config is not one of a document’s store.", file: "config")
    } catch let error as GitError {
      damage(.configuration, "The config is damaged: \(error.message).", file: "config")
    } catch let error as FileError where [.unsupportedKind, .tooLarge].contains(error.code) {
      damage(.configuration, "The config is not what it must be.", file: "config")
    }
    return nil
  }
}
