public import Foundation
internal import DocumentFiles
internal import DocumentStore

/// What a view remembers of a document on this device (AS21, VS1).
extension Document {
  /// What was set last with ``setViewState(_:)`` on this device; nil where that is nothing.
  ///
  /// - Throws: ``FileError`` where it can't be read.
  public func viewState() async throws -> Data? {
    let (store, url) = (environment.store, fileURL)
    return try await store.perform { try $0.viewState(of: url).map { Data($0) } }
  }

  /// Remembers where a person was in the document, such as a position to scroll to or a selection.
  ///
  /// It is no edit: the document gets no version and no conflict by it, and it never leaves this device. It stays with
  /// the document where that is renamed. What belongs to the document itself, and shall be the same on each device, is
  /// a part of its contents instead.
  ///
  /// - Parameter state: in any form, up to a megabyte; nil for nothing.
  /// - Returns: false where the document has no versions yet: nothing is kept of it then.
  /// - Throws: ``FileError`` where it can't be written, or is too large.
  @discardableResult
  public func setViewState(_ state: Data?) async throws -> Bool {
    let (store, url) = (environment.store, fileURL)
    return try await lane.run {
      try await store.perform { try $0.setViewState(state.map { Array($0) }, of: url) }
    }
  }
}
