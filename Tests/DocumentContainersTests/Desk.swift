import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

extension Device {
  /// The adoption that a program uses.
  var adoption: Adoption { Adoption(store: VersionStore(store)) }

  /// The conflicted copies in the container, by their names.
  func copies() async throws -> [String: ConflictedCopy] {
    var found: [String: ConflictedCopy] = [:]
    for try await copy in adoption.copies(in: [container]) {
      found[copy.url.lastPathComponent] = copy
    }
    return found
  }

  /// The same, for what waits for them.
  func copiesNow() throws -> [ConflictedCopy] {
    try Adoption.copies(in: [container], store: store, engines: MergeEngines())
  }

  /// Adopts the copies in the container.
  @discardableResult
  func adopt(_ rule: AdoptionRule) async throws -> [AdoptedDocument] {
    var documents: [AdoptedDocument] = []
    for try await document in adoption.adopt(in: [container], by: rule) {
      documents.append(document)
    }
    return documents
  }

  /// Sets when a file was modified: seconds since 1970.
  func setModificationDate(_ time: TimeInterval, of name: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: self[name].path)
  }

  /// Returns whether an item exists in the container.
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name].path) }

  /// The names in the container, without the folder of versions.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: container.path)
      .filter { $0 != ".docversions" }.sorted()
  }
}

extension ConflictedCopy {
  /// A word for the outlook.
  var outlookWord: String {
    switch outlook {
    case .nothingNew: "nothing new"
    case .merges: "merges"
    case .asks(let question, _):
      switch question {
      case .contradiction: "contradiction"
      case .unknownBase: "unknown base"
      case .containsDocument(let more): "contains, \(more) more"
      case .isContained(let more): "contained, \(more) more"
      case .ambiguousName: "ambiguous"
      case .documentInConflict: "in conflict"
      case .tooLarge: "too large"
      }
    case .refused(let refusal):
      switch refusal {
      case .documentMissing: "document missing"
      case .hasVersions: "has versions"
      case .isFolder: "folder"
      case .isSpecial: "special"
      case .unreadable: "unreadable"
      }
    }
  }
}

/// Returns the name of a copy by Syncthing.
func syncthingCopy(of stem: String, _ ending: String = ".md", device: String = "UWZBLXH") -> String
{
  "\(stem).sync-conflict-20261121-025448-\(device)\(ending)"
}
