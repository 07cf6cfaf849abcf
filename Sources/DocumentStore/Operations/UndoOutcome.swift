package import Foundation

/// The outcome of undoing an operation.
public struct UndoOutcome: Sendable {
  /// The document, where it is now: its former name may have come back.
  package let document: URL
  /// The version that the undone operation made; `nil` if it only removed contents.
  public let undone: FileVersion?
  /// The versions whose contents are back on this device.
  package let broughtBack: [FileVersion]
  /// The current version afterward.
  public let version: FileVersion
  /// The unresolved conflict versions afterward.
  package let conflicts: [FileVersion]
  /// The version that the document’s unsaved edits became; `nil` if there were none.
  public let keptEdits: FileVersion?
}
