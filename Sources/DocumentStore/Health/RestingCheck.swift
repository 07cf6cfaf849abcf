internal import DocumentGit
internal import Foundation

/// Checks a resting document: everything that it needs is where it rests, and matches what was saved.
struct RestingCheck {
  private let document: RestingDocument
  private let location: DocumentLocation
  private let objects: StoredObjects
  private let findings = FindingList()
  private var bytes = 0

  init(
    _ document: RestingDocument, at location: DocumentLocation, _ environment: StoreEnvironment
  ) throws {
    self.document = document
    self.location = location
    objects = StoredObjects(
      in: SyncFile.mirror(document.mirror, in: location.container),
      meter: ByteMeter(progress: environment.progress))
  }

  mutating func verification() throws -> Verification {
    do { try check() } catch let error as GitError where !error.isFromSystem {
      findings.damage(
        .record, "Its versions can’t be read \(place): \(error).\(advice)")
    }
    let found = findings.sorted
    if !found.isEmpty { document.distrustMirror(in: location.container) }
    return Verification(
      document: location.url, findings: found, versions: document.versions,
      objects: objects.read.count, bytes: bytes)
  }

  private mutating func check() throws {
    let versions = try document.history(in: objects.repository)
    let contents = ContentCheck(objects, findings)
    for version in document.contents {
      guard let record = versions[version] else { continue }
      bytes += record.content?.bytes ?? 0
      guard try !contents.isComplete(record) else { continue }
      findings.damage(
        .contents,
        "The contents of \(record.shortName) are damaged \(place).\(advice)", versions: [version])
    }
  }

  private var place: String {
    document.isOnShelf ? "on this device’s shelf" : "in this device’s copy of the remote"
  }

  private var advice: String { document.isOnShelf ? "" : " Sync." }
}
