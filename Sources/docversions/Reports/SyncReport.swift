internal import DocumentVersions
internal import Foundation

/// A remote: `{"address", "lastSync", "name", "shared"}`, and `"private"` if it was just added: the documents
/// that only their owner can read on this device.
struct RemoteReport: Encodable {
  let name, address: String
  let shared: Bool
  @Nullable var lastSync: String?
  let `private`: [String]?
  /// The documents that are no longer listed.
  let unlisted: [String]?

  init(_ remote: Remote, privateDocuments: [String]? = nil, unlisted: [String]? = nil) {
    self.unlisted = unlisted
    name = remote.name
    address = remote.address
    shared = remote.isShared
    lastSync = remote.lastSync.map { Timestamp.textInSeconds($0) }
    `private` = privateDocuments
  }
}

/// The remotes of a folder of documents: `{"container", "remotes"}`.
struct RemotesReport: Encodable {
  let container: String
  let remotes: [RemoteReport]

  init(container: URL, _ remotes: [Remote]) {
    self.container = container.absoluteURL.standardizedFileURL.path
    self.remotes = remotes.map { RemoteReport($0) }
  }
}

/// An exchange through a git repository: `{"arriving", "container", "documents", "edited", "merged", "notDownloaded",
/// "received", "remote", "removedContentsStay", "sent"}`.
struct SyncReport: Encodable {
  let container: String
  let remote: RemoteReport
  let documents: [ExchangeReport.Document]
  let sent, received: ExchangeReport.Amount
  /// The names of the devices from which not everything has arrived yet.
  let arriving: [String]
  /// The documents that were edited and not saved.
  let edited: [String]
  /// The documents whose conflicts were merged.
  let merged: [String]
  /// True if contents that were removed here stay readable at the remote.
  let removedContentsStay: Bool
  /// The documents that are listed and not on this device.
  let notDownloaded: [String]

  init(
    _ exchange: ExchangeReport, with remote: Remote, edited: [String], merged: [String],
    removedContentsStay: Bool, notDownloaded: [String]
  ) {
    self.merged = merged
    self.notDownloaded = notDownloaded
    self.removedContentsStay = removedContentsStay
    container = exchange.container
    self.remote = RemoteReport(remote)
    documents = exchange.documents
    sent = exchange.sent
    received = exchange.received
    arriving = exchange.arriving
    self.edited = edited
  }
}

/// A device: `{"current", "documents", "id", "lastPublished", "name"}`.
struct DeviceReport: Encodable {
  let id, name, lastPublished: String
  let documents: Int
  let current: Bool

  init(_ device: SyncDevice) {
    id = device.id
    name = device.name
    lastPublished = Timestamp.textInSeconds(device.lastPublished)
    documents = device.documents
    current = device.isCurrent
  }
}

/// A container: `{"container", "name"}`, with the name of this device in it.
struct ContainerReport: Encodable {
  let container, name: String
}

/// A container with an identifier: `{"container", "documents", "identifier"}`, with its folder and that of
/// its documents.
struct UbiquityContainerReport: Encodable {
  let identifier, container, documents: String
  @Nullable var name: String?
  let isPublic: Bool
  let folderLevels: String

  private enum CodingKeys: String, CodingKey {
    case identifier, container, documents, name, folderLevels
    case isPublic = "public"
  }

  init(_ identifier: String, _ container: URL, _ declaration: ContainerDeclaration?) {
    name = declaration?.name
    isPublic = declaration?.isDocumentScopePublic ?? false
    folderLevels = declaration?.supportedFolderLevels.rawValue ?? "None"
    self.identifier = identifier
    self.container = container.absoluteURL.standardizedFileURL.path
    documents = container.appending(path: "Documents").absoluteURL.standardizedFileURL.path
  }
}
