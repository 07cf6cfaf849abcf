/// A step to recover from an error, for the document that the error names.
///
/// An app or a tool can derive a button or command from it; ``sentence`` describes it in words. Versions are given by
/// their full identifiers. New cases may be added.
public enum ErrorRecovery: Hashable, Sendable {
  /// Save the document, which has no version yet.
  case saveFirst
  /// Save the documents in the folder, one by one.
  case saveDocumentsInside
  /// Save the folder as one document, a package.
  case saveAsPackage
  /// Choose one of the document’s versions.
  case listVersions
  /// Choose one of a version’s members.
  case listMembers(version: String)
  /// Choose one of the versions in conflict.
  case listConflicts
  /// Choose one of the removed versions that can be restored.
  case listRemovedVersions
  /// Give a rule for which versions stay, such as the ten newest.
  case nameRetentionRule
  /// Unpin the versions.
  case unpin(versions: [String])
  /// Mark the version as resolved.
  case markResolved(version: String)
  /// Keep the document unchanged, and mark the imported copy as resolved; it stays in the history.
  case keepDocument(overCopy: String)
  /// Restore the version.
  case restore(version: String)
  /// Resolve the conflict, and answer its questions.
  case resolveAsking
  /// Verify the document’s store.
  case verify
  /// Repair the store, and add lost versions beside the others.
  case repairFindingLost
  /// Exchange through a folder made for that purpose.
  case nameExchangeFolder
  /// Clone into the folder anyway; files that equal versions of the documents become these documents.
  case cloneIntoExisting
  /// Make the store your own, if you trust it.
  case takeOwnership
  /// Copy the objects that the store borrows from another place into it.
  case copyBorrowedObjects
  /// Remove a reference that isn't the store's own.
  case removeReference(name: String)
  /// Exchange again, and accept repositories of other programs.
  case takeRepositories
  /// Create a container beside the document, or name the other user's container.
  case makeContainer(folder: String, foreign: String)
  /// Restore the current version; or save the document as it is, and name that version as its base.
  case restoreEmptied
  /// Connect to the host once with OpenSSH, compare its key, and accept it.
  case trustHost(String, port: Int?)
  /// Trust the authority that has signed the host’s certificate.
  case trustAuthority
  /// Share the repository with its other contents, which stay unchanged.
  case shareRepository
  /// Try again; nothing was changed.
  case tryAgain
  /// Exchange again when the folder is up to date.
  case exchangeAgain
  /// Resume the sync of the document.
  case resumeSync
  /// Make the device list new documents, instead of downloading all of them.
  case listNewDocuments
  /// Fetch the version of the other device, and try again.
  case fetchLatest

  /// The step as a sentence for people, without a command.
  public var sentence: String {
    switch self {
    case .saveFirst: "Save the document first."
    case .resumeSync: "Resume its sync first."
    case .listNewDocuments: "Make this device one that only lists new documents first."
    case .fetchLatest: "Fetch it, compare both versions, and try again."
    case .saveDocumentsInside: "Save the documents in it, each by its name."
    case .saveAsPackage: "To keep it as one document, save it as a package."
    case .listVersions: "Choose one of the versions in its history."
    case .listMembers: "Choose one of the members that the version has."
    case .listConflicts: "Choose one of the versions that are in conflict."
    case .listRemovedVersions: "Choose one of the removed versions that can be brought back."
    case .nameRetentionRule: "Name a rule, such as keeping the ten newest versions."
    case .unpin(let versions):
      versions.count == 1 ? "Unpin the version first." : "Unpin the versions first."
    case .markResolved: "Mark the version as resolved first."
    case .keepDocument:
      "To keep the document as it is, and the copy in its history, mark the copy as resolved."
    case .restore: "Restore the version before it."
    case .resolveAsking: "Resolve the conflict again."
    case .verify: "Verify the versions to learn what is damaged."
    case .repairFindingLost: "Repair the store with the option that finds lost versions."
    case .cloneIntoExisting:
      """
      Name a new or an empty folder, or allow the files in it: those that are versions of a document with their name become \
      that document and get its newest contents, and the others stay as they are.
      """
    case .nameExchangeFolder: "Name the folder that the documents are exchanged through."
    case .takeOwnership: "If you trust them, make the store your own."
    case .copyBorrowedObjects: "Copy the objects into the store, remove that file, and try again."
    case .removeReference(let name):
      "Remove the reference “\(Printable.text(name))” from the store."
    case .takeRepositories: "To take it, exchange again and say so."
    case .makeContainer(let folder, let foreign) where folder == foreign:
      "To use the other user’s versions, name “\(Printable.text(foreign))”."
    case .makeContainer(let folder, let foreign):
      """
      To keep versions of your own, make a folder “.docversions” in “\(Printable.text(folder))”; to use the other \
      user’s, name “\(Printable.text(foreign))”.
      """
    case .restoreEmptied:
      "Restore the current version; or, if the document should be empty, save it with that as its base."
    case .trustHost: "Connect to it once by OpenSSH, and compare its key before you accept it."
    case .trustAuthority:
      """
      Check the address and the clock; a server of your own needs a certificate of an authority that this device trusts.
      """
    case .shareRepository:
      "Use an empty repository; or allow sharing this one, which leaves everything in it intact."
    case .tryAgain: "Try again."
    case .exchangeAgain: "Exchange again when the folder is up to date; nothing is lost until then."
    }
  }
}
