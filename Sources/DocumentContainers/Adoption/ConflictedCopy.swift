package import DocumentMerge
package import DocumentStore
package import Foundation

/// A conflicted copy that was found beside its document, and what adopting it would come to.
package struct ConflictedCopy: Sendable {
  /// The file or folder that is the copy.
  package let url: URL
  /// The document that it is a copy of, or that has the member which it is a copy of; it may be gone.
  package let document: URL
  /// The path in the package of the member that it is a copy of; `nil` if it is a copy of the document.
  package let member: String?
  /// The name: the tool, the person, the device and the time that it says.
  package let name: ConflictedCopyName
  /// When the copy’s contents were modified; `nil` if it could not be read.
  package let modificationDate: Date?
  /// The share of the larger one that the document and the copy have in common, in hundredths; `nil` if they were not
  /// compared.
  package internal(set) var similarity: Int?
  /// The contents that the document and the copy were both made from, as far as they were found.
  package internal(set) var base: CopyBase?
  /// The expected result of an adoption.
  package internal(set) var outlook: Outlook
  /// Whether the document was last saved as the copy: a tool has put other contents in its place, which were made from the
  /// base.
  package internal(set) var isCurrentVersion = false

  /// The person that the name says, or “unknown”.
  package var author: String { name.author ?? Identity.unknown }
  /// The device that the name says, or “unknown”.
  package var device: String { name.device ?? Identity.unknown }

  /// The expected result of adopting a copy.
  package enum Outlook: Sendable {
    /// The document, or one of its versions, has these contents: the copy brings nothing new.
    case nothingNew
    /// The changes of both combine without a question.
    case merges([MergeDecision])
    /// A person has to decide.
    case asks(AdoptionQuestion, [MergeDecision])
    /// The copy is not adopted.
    case refused(AdoptionRefusal)
  }
}

/// The reason why a person has to decide about a copy.
package enum AdoptionQuestion: Sendable {
  /// The base is known, and the changes since then contradict each other.
  case contradiction
  /// Nothing says what both were made from, so only what they share is sure.
  case unknownBase
  /// Nothing says what both were made from, but the copy has all that the document has, in the same order, and so many
  /// lines or members more: it may be the document’s successor.
  case containsDocument(more: Int)
  /// Nothing says what both were made from, but the document has all that the copy has, in the same order, and so many
  /// lines or members more.
  case isContained(more: Int)
  /// Another document may have such a name.
  case ambiguousName
  /// The document is in an unresolved conflict already.
  case documentInConflict
  /// The files are too large to be compared or merged.
  case tooLarge
}

/// The reason why a copy is not adopted.
package enum AdoptionRefusal: Sendable {
  /// The document is not there.
  case documentMissing
  /// The copy has versions of its own: it is a document.
  case hasVersions
  /// The copy is a folder, and the document is not, or is no package.
  case isFolder
  /// The copy is a link or another special file.
  case isSpecial
  /// The copy or the document cannot be read, or changes meanwhile.
  case unreadable(any Error)
}

/// The contents that a document and a copy of it were both made from, and the evidence.
package struct CopyBase: Sendable {
  /// The place where the contents were found.
  package enum Source: Sendable, Equatable {
    /// A version of the document.
    case version(FileVersion)
    /// A file that a tool has kept.
    case file(URL)
    /// A commit of git, by its id.
    case commit(String)
  }

  /// The place where the contents were found.
  package let source: Source
  /// When they were saved, kept or committed.
  package let date: Date
  /// The number of lines or members that these contents brought in, all of which the copy has.
  package let evidence: Int

  /// The bytes, where they are no version.
  let bytes: [UInt8]?
}
