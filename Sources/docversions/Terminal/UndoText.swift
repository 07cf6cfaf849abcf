internal import DocumentVersions
internal import Foundation

extension UndoReport {
  /// The lines for a person.
  ///
  /// - Parameter isEdited: whether the document has unsaved edits afterward.
  func lines(for file: DocumentArgument, isEdited: Bool, isDryRun: Bool) -> [String] {
    var lines = outcome.keptEdits.map { [file.keptLine($0)] } ?? []
    let verb = isDryRun ? "Would undo" : "Undid"
    let current = isDryRun ? "" : "; current is \(outcome.version.shown)"
    lines.append("\(verb) \(operation) of \(file.shown)\(current).")
    if !outcome.broughtBack.isEmpty {
      let count = Wording.count(outcome.broughtBack.count, "version")
      lines.append("\(isDryRun ? "Would bring back" : "Brought back") \(count).")
    }
    guard !isDryRun else { return lines }
    let place = DocumentArgument(outcome.document)
    let name = outcome.document.lastPathComponent
    if isMove {
      lines.append("It is in its place again: \(place.shown)")
    } else if !name.hasBytes(of: file.url.lastPathComponent) {
      lines.append("It is named \(place.shown) again.")
    }
    if isEdited { lines.append("\(place.shown) has unsaved changes, which stay.") }
    if !outcome.conflicts.isEmpty {
      let count = Wording.count(outcome.conflicts.count, "unresolved conflict version")
      lines.append("It has \(count) again.")
      lines.append("Look at the conflict:  ".asMuted + "docversions conflicts \(place.word)")
    }
    return lines
  }

  /// True if the document was in a different folder.
  private var isMove: Bool {
    guard let undone = outcome.undone else { return false }
    return undone.kind == .move
      || undone.kind == .rename && !undone.hasFolder(of: outcome.version.path)
  }

  /// "the merge f5ee595", "the removal of versions".
  private var operation: String {
    guard let undone = outcome.undone else { return "the removal of versions" }
    let name =
      switch undone.kind {
      case .restore: "the restore"
      case .delete: "the deletion"
      case .rename: isMove ? "the move" : "the rename"
      case .move: "the move"
      case .merge: "the merge"
      default: "the resolution"
      }
    return "\(name) \(undone.shown)"
  }
}
