package import Foundation

/// The outcome of undoing an operation.
public struct UndoOutcome: Sendable {
  /// The document at its present location; its former name may have been restored.
  package let document: URL
  /// The version that the undone operation made; `nil` if it only removed contents.
  public let undone: FileVersion?
  /// The versions whose contents were restored on this device.
  package let broughtBack: [FileVersion]
  /// The current version afterward.
  public let version: FileVersion
  /// The unresolved conflict versions afterward.
  package let conflicts: [FileVersion]
  /// The version that was made of the document’s unsaved edits; `nil` if there were none.
  public let keptEdits: FileVersion?
}
