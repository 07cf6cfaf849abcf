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

    /// The kind of a finding.
    ///
    /// New codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
      /// The code's stable name, as it appears in JSON output.
      package let rawValue: String

      /// Creates a code from its name.
      package init(rawValue: String) { self.rawValue = rawValue }

      /// The store’s config is damaged, foreign, or another document's.
      package static let configuration = Code(rawValue: "configuration")
      /// A part of the store is missing, of another kind, or doesn't belong in a store.
      package static let foreignPart = Code(rawValue: "foreign-part")
      /// `HEAD`, which names the version that the document shows, is damaged or leads to nothing.
      package static let head = Code(rawValue: "head")
      /// A reference is damaged, or leads to nothing.
      package static let reference = Code(rawValue: "reference")
      /// The ledger has a version as the last of its line, and nothing leads to it any more.
      package static let lostReference = Code(rawValue: "lost-reference")
      /// The store has no version, because the operation that creates the first one didn't finish.
      package static let noVersions = Code(rawValue: "no-versions")
      /// The ledger of heads is missing, outdated, torn or damaged.
      package static let ledger = Code(rawValue: "ledger")
      /// A record, which names the person, the time and the content of a save, is missing or damaged.
      package static let record = Code(rawValue: "record")
      /// The contents of versions are missing or damaged.
      package static let contents = Code(rawValue: "contents")
      /// A pack is damaged.
      package static let pack = Code(rawValue: "pack")
      /// The file of a single object is damaged.
      package static let looseObject = Code(rawValue: "loose-object")
      /// A copy that was returned of a version differs from the version.
      package static let checkout = Code(rawValue: "checkout")
      /// The entry for the document's file cannot be read.
      package static let workingFile = Code(rawValue: "working-file")
      /// The store is readable for users who can't read the document.
      package static let permissions = Code(rawValue: "permissions")
      /// An interrupted process left a temporary file.
      package static let leftover = Code(rawValue: "leftover")
      /// The store has versions that no line of versions leads to.
      package static let unreachable = Code(rawValue: "unreachable")
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
