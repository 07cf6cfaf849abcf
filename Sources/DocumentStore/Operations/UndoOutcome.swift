package import Foundation

/// The result of undoing.
public struct UndoOutcome: Sendable {
  /// The document, where it is now: its former name may have come back.
  package let document: URL
  /// The version that the undone operation had made; nil where it had only removed contents.
  public let undone: FileVersion?
  /// The versions whose contents are back on this device.
  package let broughtBack: [FileVersion]
  /// The current version afterwards.
  public let version: FileVersion
  /// The unresolved conflict versions afterwards.
  package let conflicts: [FileVersion]
  /// The version that the document’s unsaved edits became first; nil where there were none.
  public let keptEdits: FileVersion?
}
