package import Foundation

/// The outcome of checking a document's store.
package struct Verification: Sendable {
  /// A fault in the store.
  package struct Finding: Hashable, Sendable {
    /// The severity of a finding: whether something is lost.
    package enum Severity: String, Sendable {
      /// A kept part is lost or changed.
      case damage
      /// Nothing is lost, but a temporary file was left behind, or a part could be improved.
      case notice
    }

    /// The kind of a finding; the raw value is its stable name, as it appears in JSON output.
    package enum Code: String, Sendable {
      /// The store’s config is damaged, foreign, or another document's.
      case configuration
      /// A part of the store is missing, of another kind, or doesn't belong in a store.
      case foreignPart = "foreign-part"
      /// `HEAD`, which names the version that the document shows, is damaged or leads to nothing.
      case head
      /// A reference is damaged, or leads to nothing.
      case reference
      /// The ledger has a version as the last of its line, and nothing leads to it any more.
      case lostReference = "lost-reference"
      /// The store has no version, because the operation that creates the first one didn't finish.
      case noVersions = "no-versions"
      /// The ledger of heads is missing, outdated, torn or damaged.
      case ledger
      /// A record, which names the person, the time and the content of a save, is missing or damaged.
      case record
      /// The contents of versions are missing or damaged.
      case contents
      /// A pack is damaged.
      case pack
      /// The file of a single object is damaged.
      case looseObject = "loose-object"
      /// A copy that was returned of a version differs from the version.
      case checkout
      /// The entry for the document's file cannot be read.
      case workingFile = "working-file"
      /// The store is readable for users who can't read the document.
      case permissions
      /// An interrupted process left a temporary file.
      case leftover
      /// The store has versions that no line of versions leads to.
      case unreachable
    }

    /// The severity of the finding.
    package let severity: Severity
    /// The kind.
    package let code: Code
    /// The finding as a sentence.
    package let message: String
    /// The file concerned, relative to the store; `nil` if the finding concerns none.
    package let file: String?
    /// The versions concerned.
    package let versions: [FileVersion.PersistentIdentifier]
  }

  /// The document.
  package let document: URL
  /// The findings: damage first.
  package let findings: [Finding]
  /// The number of versions, including those without contents on this device.
  package let versions: Int
  /// The number of stored objects.
  package let objects: Int
  /// The size of the stored objects, in bytes.
  package let bytes: Int

  /// True if the store has no damage.
  package var isWhole: Bool { damage.isEmpty }

  /// The findings that are damage.
  package var damage: [Finding] { findings.filter { $0.severity == .damage } }
}
