internal import DocumentFiles
internal import DocumentGit

/// Checks `HEAD`, which names the version that the document shows.
struct HeadCheck {
  let location: DocumentLocation
  /// Its target; `nil` if it is missing or damaged.
  let head: RepositoryHead?
  let history: StoredHistory
  /// The clock to compare file times with.
  let clock: FileClock
  let findings: FindingList

  func run() throws {
    checkTarget()
    if history.heads.isEmpty, findings.all.isEmpty {
      findings.notice(.noVersions, location.noVersionsHere.message)
    }
    try checkShownVersion()
  }

  /// Checks that `HEAD` points to the line that the first save began, to ``HeadName/unshown``, or to a record.
  private func checkTarget() {
    switch head {
    case nil: damage("HEAD, which says which version the document shows, is lost.")
    case .attached(HeadName.unshown): break
    case .attached(HeadName.main)
    where history.heads[HeadName.main] != nil || history.heads.isEmpty:
      break
    case .attached(let name):
      damage("HEAD is at “\(Printable.text(name))”, which does not exist.")
    case .detached(let id) where history.records[id] != nil: break
    case .detached(let id):
      damage("HEAD is at \(id.versionName), which no reference leads to.")
    }
  }

  private func damage(_ message: String) {
    findings.damage(.head, message, file: StoreFile.head.name)
  }

  /// Finds a `HEAD` that is behind: the document shows a later version, which follows the version at `HEAD`.
  ///
  /// An interrupted change leaves this state, and the next change completes it.
  private func checkShownVersion() throws {
    let maximal = history.maximalHeads()
    guard let shown = shownRecord(), !maximal.contains(shown),
      case let copies = try WorkingCopy.possible(at: location, clock: clock), !copies.isEmpty,
      history.records[shown].map({ record in
        !copies.contains { $0.content.isSame(as: record.content) }
      }) == true
    else { return }
    let followers = maximal.compactMap { history.records[$0] }.filter {
      record in
      history.ancestry(of: [record.id]).contains(shown)
        && copies.contains { $0.content.isSame(as: record.content) }
    }
    guard let reached = followers.first else { return }
    findings.notice(
      .head, "The document shows \(reached.shortName), and HEAD is still at \(shown.versionName).",
      file: StoreFile.head.name, versions: [reached.id])
  }

  private func shownRecord() -> ObjectID? {
    switch head {
    case .detached(let id)?: id
    case .attached(let name)?: history.heads[name]?.record
    case nil: nil
    }
  }
}
