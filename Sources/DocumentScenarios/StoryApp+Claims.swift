internal import DocumentVersions
internal import Foundation

/// Claims about the app.
extension StoryApp {
  /// Returns the facts found instead of the claim; `nil` if the claim is true.
  func finding(
    against fact: ScenarioStep.OpenFact, of name: String, on device: Device
  ) throws -> String? {
    let document = document(at: try device.url(name))
    if case .isOpen(let isExpected) = fact {
      return (document != nil) == isExpected ? nil : document == nil ? "closed" : "open"
    }
    guard let document else { return "closed" }
    func finding(_ isFound: Bool, _ isExpected: Bool, _ what: String) -> String? {
      isFound == isExpected ? nil : isFound ? what : "no \(what)"
    }
    switch fact {
    case .isOpen: return nil
    case .shows(let file):
      return try document.shown == device.contents(file) ? nil : document.shown.inWords
    case .hasUnsavedChanges(let isExpected):
      return finding(document.hasUnsavedChanges, isExpected, "unsaved changes")
    case .showsConflict(let isExpected):
      return finding(document.state.contains(.inConflict), isExpected, "conflict")
    case .showsSavingError(let isExpected):
      return finding(document.state.contains(.savingError), isExpected, "saving error")
    case .canUndo(let isExpected):
      return finding(document.undoManager?.canUndo == true, isExpected, "typing to undo")
    case .canRedo(let isExpected):
      return finding(document.undoManager?.canRedo == true, isExpected, "typing to redo")
    case .wasLoaded(let count):
      return document.loads == count ? nil : "loaded \(document.loads) times"
    }
  }
}
