internal import DocumentFiles
internal import DocumentGit
public import DocumentStore
public import Foundation
internal import SystemPackage

/// An opaque value for the service that a container is synced with (`ubiquityIdentityToken`).
///
/// Archive the token, and compare it with the present one later: if they differ, the container was connected to another
/// service in between.
public struct UbiquityIdentityToken: Hashable, Codable, Sendable {
  /// A digest, which reveals nothing about the address.
  private let digest: String

  init(of remote: Remote) {
    digest = ObjectID(of: .blob, Array(remote.address.utf8)).description
  }
}

extension VersionStore {
  /// Returns the token of the remote that a container is synced with; `nil` if there is none.
  ///
  /// This makes no connection: a remote that can't be reached at present has a token as well. Two remotes
  /// with the same address have the same token, whatever their names.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or a folder inside it.
  ///   - name: the name of the remote; `nil` for the one that was added first.
  public func ubiquityIdentityToken(
    of container: URL, with name: String? = nil
  ) async throws -> UbiquityIdentityToken? {
    try await perform { try $0.ubiquityIdentityToken(of: container, with: name) }
  }

  /// Returns the present token, and then each different one (`NSUbiquityIdentityDidChange`).
  ///
  /// A token is reported after a remote was added, replaced or removed, in this program or another one. If the file
  /// system reports no events, the remotes are read every two seconds. The stream ends when the task that reads it is
  /// canceled, and throws if the folder is in no container or its remotes can't be read.
  ///
  /// - Parameters:
  ///   - container: a folder with documents, or a folder inside it.
  ///   - name: the name of the remote; `nil` for the one that was added first.
  public func ubiquityIdentityTokens(
    of container: URL, with name: String? = nil
  ) -> AsyncThrowingStream<UbiquityIdentityToken?, any Error> {
    TaskStream<UbiquityIdentityToken?> { continuation in
      let folder = try await perform { try $0.folderOfRemotes(of: container) }
      let changes = ChangeSignal()
      let observation = FolderObserver.shared.observe(folder) { changes.send() }
      var last: UbiquityIdentityToken??
      while !Task.isCancelled {
        let token = try await ubiquityIdentityToken(of: container, with: name)
        if last != .some(token) { continuation.yield(token) }
        last = .some(token)
        await changes.next(within: observation == nil ? .seconds(2) : .seconds(60))
      }
    }.stream
  }
}

extension SynchronousStore {
  /// The synchronous form of ``VersionStore/ubiquityIdentityToken(of:with:)``.
  func ubiquityIdentityToken(of container: URL, with name: String?) throws -> UbiquityIdentityToken?
  {
    try remotes(of: container).first { name == nil || $0.name == name }
      .map { UbiquityIdentityToken(of: $0) }
  }

  /// The folder in which the list of remotes changes.
  fileprivate func folderOfRemotes(of container: URL) throws -> FilePath {
    guard let place = try self.container(around: container) else {
      throw VersionError(
        .invalidArgument, document: Printable.text(container.path),
        message: "“\(Printable.text(container.path))” is in no container.")
    }
    let folder = SyncFile.folder(of: try place.filePath)
    try Folder.create(folder)
    return folder
  }
}
