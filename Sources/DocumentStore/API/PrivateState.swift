public import Foundation

/// What an app remembers of a document on this device alone, such as a position to scroll to or a selection.
///
/// It is no edit: the document gets no version and no conflict by it, and it never leaves the device. It stays with the
/// document where that is renamed. What belongs to the document itself, and shall be the same on each device, is a part
/// of its contents instead.
public struct PrivateState: Sendable {
  private let document: URL
  private let store: VersionStore

  /// Names a document; nothing is read.
  ///
  /// - Parameters:
  ///   - document: the document, where it is now.
  ///   - store: the store of its versions.
  package init(of document: URL, store: VersionStore = VersionStore()) {
    self.document = document
    self.store = store
  }

  /// What was written last on this device, in any form; nil where that is nothing.
  ///
  /// - Throws: ``FileError`` where it can't be read.
  public func read() async throws -> Data? {
    let document = document
    return try await store.perform { try $0.privateState(of: document).map { Data($0) } }
  }

  /// Remembers a state.
  ///
  /// - Parameter state: in any form, up to a megabyte; nil for nothing.
  /// - Returns: false where the document has no versions yet: nothing is kept of it then.
  /// - Throws: ``FileError`` where it can't be written, or is too large.
  @discardableResult
  public func write(_ state: Data?) async throws -> Bool {
    let document = document
    return try await store.perform {
      try $0.setPrivateState(state.map { Array($0) }, of: document)
    }
  }
}
