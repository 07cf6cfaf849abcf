import DocumentFiles
import DocumentGit
import DocumentWorld
import Foundation

@testable import DocumentStore

/// Everything that a user gets back from a store, as text; two stores with equal observations are the same
/// for the user.
struct Observation: Equatable {
  private(set) var lines: [String] = []

  init(of shaped: ShapedStore) {
    let store = shaped.desk.store
    note("state") { try store.state(of: shaped.document).rawValue }
    note("trash") { try Self.trash(of: shaped).joined(separator: " ") }
    do {
      let history = try store.history(of: shaped.document)
      lines.append("shown \(history.shown?.id.description ?? "none")")
      lines.append("base \(history.conflictBase?.id.description ?? "none")")
      lines.append("document \(history.documentIdentifier)")
      for version in history.versions { add(version, in: store, shaped) }
    } catch {
      lines.append("error")
    }
  }

  private mutating func add(
    _ version: FileVersion, in store: SynchronousStore, _ shaped: ShapedStore
  ) {
    lines.append(
      """
      \(version.id) \(version.kind.rawValue) \(version.path) \(version.modificationDate) \
      \(version.savingDate) \(version.author) \(version.savingDevice) \(version.note ?? "-") \
      \(version.size) \(version.fileCount) \(version.isPackage) \(version.isDeletion) \
      \(version.parents) \(version.isCurrent) \(version.isConflict) \(version.isResolved) \
      \(version.isDiscardable) \(version.hasLocalContents)
      """)
    guard version.hasLocalContents else { return }
    note("contents") {
      if !version.isPackage {
        return try store.contents(of: version, member: nil).base64EncodedString()
      }
      return try store.members(of: version).map { member in
        let bytes =
          member.kind == "folder"
          ? Data() : try store.contents(of: version, member: member.path)
        return "\(member.path) \(member.kind) \(bytes.base64EncodedString())"
      }.joined(separator: " ")
    }
    let copy = shaped.folder.appending(path: "checkouts/\(version.id)")
    if FileManager.default.fileExists(atPath: copy.path), !version.isPackage {
      note("copy") {
        try version.checkedOutURL().map { try Data(contentsOf: $0).base64EncodedString() } ?? "none"
      }
    }
  }

  private mutating func note(_ what: String, _ body: () throws -> String) {
    do { lines.append("\(what) \(try body())") } catch { lines.append("\(what) error") }
  }

  /// Returns the removed contents that can still be restored.
  private static func trash(of shaped: ShapedStore) throws -> [String] {
    let repository = try Repository(opening: shaped.folder.filePath)
    return try repository.references.all(below: "refs/trash/").sorted { $0.key < $1.key }.flatMap {
      try ["\($0.key) \($0.value)"] + read($0.value, in: repository)
    }
  }

  private static func read(_ id: ObjectID, in repository: borrowing Repository) throws -> [String] {
    let object = try repository.read(id)
    switch object.kind {
    case .blob: return [Data(object.bytes).base64EncodedString()]
    case .tree:
      return try Tree(decoding: object.bytes).entries.flatMap { try read($0.id, in: repository) }
    case .commit:
      let commit = try Commit(decoding: object.bytes)
      return try read(commit.tree, in: repository)
        + commit.parents.flatMap { try read($0, in: repository) }
    }
  }
}
