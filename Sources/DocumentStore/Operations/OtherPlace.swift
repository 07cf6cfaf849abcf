internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// The origin or the destination of a document that was moved to another container, or the document that it was joined
/// with.
///
/// It is kept beside its versions in both places of a move, and until the store is removed in that of a join, on this
/// device only.
struct OtherPlace {
  /// The version that the move made in this place, or that the join took over from it.
  let record: ObjectID
  /// The document's path in the other place.
  let document: FilePath

  /// Reads the other place; `nil` if there is none, or it is unreadable.
  static func read(in store: FilePath) throws -> OtherPlace? {
    let limit = 64 << 10
    guard let bytes = try SmallFile.read(StoreFile.otherPlace.path(in: store), limit: limit),
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")), bytes[end...].count > 1,
      let record = ObjectID(hexadecimal: String(decoding: bytes[..<end], as: UTF8.self))
    else { return nil }
    return OtherPlace(record: record, document: FilePath(bytes: Array(bytes[(end + 1)...])))
  }

  func write(in store: FilePath) throws {
    try SmallFile.replace(
      StoreFile.otherPlace.path(in: store), Array("\(record)\n".utf8) + document.bytes,
      isPrivate: true)
  }

  /// Returns the document that a missing one is a part of, because a join was interrupted before it removed the store;
  /// `nil` if it is not on disk for another reason.
  static func joinedDocument(of location: DocumentLocation) throws -> DocumentLocation? {
    guard try FileStatus.of(location.document) == nil, let other = try read(in: location.store),
      other.document.starts(with: location.container),
      case let place = try DocumentLocation(of: other.document),
      place.container == location.container, place != location,
      let own = location.documentIdentity,
      place.documentIdentity?.contains(own.identifier.description) == true
    else { return nil }
    return place
  }
}

/// A move of a document to another container that was the last operation on it.
struct LastMove {
  /// The present location of the document.
  let present: DocumentLocation
  /// The former location of the document.
  let former: DocumentLocation
  /// The version that the move made.
  let record: ObjectID
}

extension StoreEnvironment {
  /// Finds the move that was the last operation on a document, which is named by its present or its former
  /// location.
  ///
  /// - Returns: the move; `nil` if it was another operation, or if the versions in the other place don't
  ///   agree.
  func lastMove(of document: URL) throws -> LastMove? {
    // Undoing an operation can rename the document, or delete it.
    _ = try DocumentLocation(of: document, links: .refused)
    guard let (here, other, record, kind) = try otherPlace(of: document),
      try FileStatus.of(other.parentFolder) != nil,
      case let place = try DocumentLocation(of: other), try place.hasStore,
      let (there, back, otherRecord, otherKind) = try otherPlace(of: place.url),
      back == here.document, there.document == other
    else { return nil }
    switch (kind, otherKind) {
    case (.move, .delete): return LastMove(present: here, former: there, record: record)
    case (.delete, .move): return LastMove(present: there, former: here, record: otherRecord)
    default: return nil
    }
  }

  private func otherPlace(
    of document: URL
  ) throws -> (here: DocumentLocation, other: FilePath, record: ObjectID, kind: VersionKind)? {
    guard try DocumentLocation(of: document).followingRename(by: fileClock).hasStore else {
      return nil
    }
    return try reading(document) { reader in
      guard let other = try OtherPlace.read(in: reader.location.store),
        case let heads = try reader.heads.divergent().map(\.record),
        let last = try reader.heads.base() ?? heads.first
      else { return nil }
      if last.id != other.record {
        // It was moved back from there, by a move that was interrupted before the deletion there.
        guard last.facts.kind == .move, last.parents.contains(other.record) else { return nil }
        return (reader.location, other.document, other.record, .delete)
      }
      return (reader.location, other.document, last.id, last.facts.kind)
    }
  }
}
