package import DocumentMerge
package import DocumentStore
package import Foundation

/// A conflicted copy beside its document, and the expected result of adopting it.
package struct ConflictedCopy: Sendable {
  /// The file or folder that is the copy.
  package let url: URL
  /// The document of the copy, or of the member that it is a copy of; it may no longer exist.
  package let document: URL
  /// The path of the member that it is a copy of; `nil` if it is a copy of the document.
  package let member: String?
  /// The name, with the tool, the person, the device and the time that it mentions.
  package let name: ConflictedCopyName
  /// The modification date of the copy; `nil` if it couldn't be read.
  package let modificationDate: Date?
  /// The share that the document and the copy have in common, in percent of the larger one; `nil` if they weren't
  /// compared.
  package internal(set) var similarity: Int?
  /// The base of the document and the copy, if it was found.
  package internal(set) var base: CopyBase?
  /// The expected result of an adoption.
  package internal(set) var outlook: Outlook
  /// The version that the document's present contents derive from; nil if they follow the current one.
  ///
  /// If it isn't nil, a tool has replaced the document, and the copy has the current version's contents or
  /// derives from them.
  package internal(set) var documentBase: FileVersion?
  /// The current version if the document itself is missing; the document is restored before the copy is
  /// imported.
  package internal(set) var missing: FileVersion?
  /// True if a version has the copy's contents, and nothing shows that the later contents derive from it.
  var isOvertaken = false

  /// The person in the name, or “unknown”.
  package var author: String { name.author ?? Identity.unknown }
  /// The device in the name, or “unknown”.
  package var device: String { name.device ?? Identity.unknown }

  /// The expected result of adopting a copy.
  package enum Outlook: Sendable {
    /// The document or one of its versions has these contents, so the copy has nothing new.
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
  /// The base isn't known, so only the common parts are certain.
  case unknownBase
  /// The base isn't known, but the copy has everything that the document has, in the same order, and more lines or
  /// members, so it may be the document’s successor.
  case containsDocument(more: Int)
  /// The base isn't known, but the document has everything that the copy has, in the same order, and more lines or
  /// members.
  case isContained(more: Int)
  /// The name may belong to another document.
  case ambiguousName
  /// The document is already in conflict.
  case documentInConflict
  /// The files are too large to compare or merge.
  case tooLarge
}

/// The reason why a copy is not adopted.
package enum AdoptionRefusal: Sendable {
  /// The document doesn't exist.
  case documentMissing
  /// The copy has versions, so it is a document.
  case hasVersions
  /// The copy is a folder, and the document isn't a package.
  case isFolder
  /// The copy is a link or another special file.
  case isSpecial
  /// The copy or the document can't be read, or changes while it is read.
  case unreadable(any Error)
}

/// The base of a document and a copy, with the evidence.
package struct CopyBase: Sendable {
  /// The source of the contents.
  package enum Source: Sendable, Equatable {
    /// A version of the document.
    case version(FileVersion)
    /// A file that a tool kept.
    case file(URL)
    /// A commit of git, by its id.
    case commit(String)
  }

  /// The source of the contents.
  package let source: Source
  /// The date on which they were saved, kept or committed.
  package let date: Date
  /// The number of lines or members that these contents added, all of which the copy has.
  package let evidence: Int

  /// The bytes, if they aren't a version.
  let bytes: [UInt8]?
}
