internal import DocumentVersions

extension ErrorRecovery {
  /// Returns the line with the step's purpose and its command to paste; `nil` if there is no such command.
  ///
  /// - Parameter document: the document, as a shell word.
  func line(for document: String) -> String? {
    switch self {
    case .resumeSync: "Resume it first:  docversions resume \(document)"
    case .listNewDocuments: "Only list what is new here, from now on:  docversions sync --lazy"
    case .fetchLatest: "Get it, and try again:  docversions download \(document)"
    case .saveFirst: "Save the first:  docversions save \(document)"
    case .saveDocumentsInside: "Save the documents in it:  docversions save --all \(document)"
    case .saveAsPackage: "To keep it as one document:  docversions save --package \(document)"
    case .listVersions: "List them:  docversions log \(document)"
    case .listMembers(let version): "List them:  docversions show \(document) \(short(version))"
    case .listConflicts: "List them:  docversions conflicts \(document)"
    case .listRemovedVersions: "See what can be brought back:  docversions undelete \(document)"
    case .nameRetentionRule: "For example:  docversions thin --keep-last 10 \(document)"
    case .unpin(let versions):
      "Unpin first:  docversions unpin \(document) \(versions.map(short).joined(separator: " "))"
    case .markResolved(let version):
      "Settle it first:  docversions mark-resolved \(document) \(short(version))"
    case .keepDocument(let copy):
      """
      Keep the document as it is, and the copy in its history:  docversions mark-resolved \(document) \(short(copy))
      """
    case .restore(let version):
      "Go back to the version before it:  docversions restore \(document) \(short(version))"
    case .resolveAsking:
      "Resolve the conflict again:  docversions resolve --ask \(document)"
    case .verify: "Look closer:  docversions verify \(document)"
    case .repairFindingLost:
      "Turn it into a conflict version:  docversions doctor --repair --find-lost \(document)"
    case .cloneIntoExisting:
      """
      With --into-existing, files that are versions of a document with their name become that document and get its newest \
      contents; the others stay as they are.
      """
    case .nameExchangeFolder: "Name the folder that the documents are exchanged through."
    case .takeOwnership: "If you trust them, make the store your own with chown."
    case .copyBorrowedObjects:
      "Bring them into the store with “git repack -ad”, remove that file, and try again."
    case .removeReference(let name):
      "Take it out with “git update-ref -d \(ShellWord.quoted(name))” in the store."
    case .takeRepositories: "To take it, add --with-repositories to the exchange."
    case .makeContainer(let folder, let foreign) where folder == foreign:
      "If you trust that user, use theirs:  export DOCVERSIONS_CONTAINER=\(ShellWord.quoted(foreign))"
    case .makeContainer(let folder, let foreign):
      """
      Keep versions of your own:  mkdir \(ShellWord.quoted(folder + "/.docversions")); or use the other user’s:  \
      export DOCVERSIONS_CONTAINER=\(ShellWord.quoted(foreign))
      """
    case .restoreEmptied:
      """
      Get it back:  docversions restore \(document) current; or, if it shall be empty:  docversions save --base @ \
      \(document)
      """
    case .trustHost(let host, let port):
      "Compare its key, and accept it:  ssh \(port.map { "-p \($0) " } ?? "")\(ShellWord.quoted(host)) true"
    case .trustAuthority:
      """
      Check the address and the clock. For a server of your own, name the certificate of its authority:  \
      export DOCVERSIONS_CA=FILE.pem
      """
    case .shareRepository:
      """
      Use an empty repository; or share this one, which harms nothing in it: remove the remote, and add it with --shared.
      """
    case .tryAgain, .exchangeAgain: nil
    }
  }

  /// Returns the part of the version's identifier that people type.
  private func short(_ version: String) -> String { String(version.prefix(7)) }
}
