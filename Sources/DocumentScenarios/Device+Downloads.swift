internal import DocumentVersions
internal import Foundation

/// Documents of a device that are only listed.
extension Device {
  /// The folder through which devices exchange.
  static func exchangeFolder(in scratch: URL) -> URL {
    scratch.appending(path: "exchange", directoryHint: .isDirectory)
  }

  /// Performs a deed that concerns documents that are only listed.
  ///
  /// - Returns: false for any other deed.
  func download(_ deed: ScenarioStep.Deed) async throws -> Bool {
    switch deed {
    case .listNewDocuments(let isListing):
      try await store.perform {
        try $0.setListsNewDocuments(isListing, in: container)
        try addRemote()
      }
    case .download(let document):
      try checkConnection()
      let place = try url(document)
      let outcome = try await store.perform { try $0.download([place]) }
      for result in outcome.documents where result.document == place {
        if let failure = result.failure { throw failure }
      }
    case .evict(let document):
      try checkConnection()
      let place = try url(document)
      try await store.perform { store in
        var failure: (any Error)?
        _ = try store.evict([place]) { failure = $1 }
        if let failure { throw failure }
      }
    case .open(let document) where try await isOnlyListed(document):
      try checkConnection()
      return false
    default:
      return false
    }
    return true
  }

  private func isOnlyListed(_ document: String) async throws -> Bool {
    let place = try url(document)
    return try await store.perform { try $0.isOnlyListed(place) }
  }

  func checkConnection() throws {
    guard isOnline else { throw Mismatch("\(name) is offline", code: "offline") }
  }

  /// Adds the folder between the devices as a remote, from which single documents can be downloaded.
  private func addRemote() throws {
    guard try store.remotes(of: container).isEmpty else { return }
    let folder = Self.exchangeFolder(in: container.deletingLastPathComponent())
    try store.addRemote(
      Remote(name: "exchange", address: "file://" + folder.path(percentEncoded: false)),
      to: container)
  }
}
