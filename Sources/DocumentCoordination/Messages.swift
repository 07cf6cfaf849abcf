internal import DocumentFiles
internal import Foundation
internal import SystemPackage

/// A path in a message: as text where it is valid UTF-8, else as its bytes.
struct MessagePath: Codable, Hashable, Sendable {
  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { path = FilePath(try container.decode(String.self)) } catch {
      path = FilePath(bytes: try container.decode([UInt8].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text = String(validating: path) {
      try container.encode(text)
    } else {
      try container.encode(path.bytes)
    }
  }

  var url: URL { URL(filePath: path.string) }
}

/// An access, as its process describes it to presenters.
struct AccessDescription: Codable, Hashable, Sendable {
  enum Kind: String, Codable, Sendable {
    case reading, writing
    /// A folder is moved or deleted, with all in it.
    case moving, deleting
    /// The item, and all in it, is about to be accessed part by part.
    case preparingToRead, preparingToWrite

    /// Whether presenters of what is in the item are concerned as those of the item.
    var isOfAllInside: Bool { self != .reading && self != .writing }
    var isWrite: Bool { self != .reading && self != .preparingToRead }
    /// Whether other accesses are excluded.
    var isClaim: Bool { self != .preparingToRead && self != .preparingToWrite }
  }

  struct Item: Codable, Hashable, Sendable {
    var path: MessagePath
    var kind: Kind
    /// What was named inside of a package.
    var member: MessagePath?
    /// Whether what is only in memory is to be saved first.
    var needsSave: Bool

    var reach: ItemReach { ItemReach(path.path, isOfAllInside: kind.isOfAllInside) }
  }

  var identifier: String
  var program: ProgramIdentity
  /// The presenter for which it is, which gets no messages.
  var presenter: String?
  var items: [Item]
}

/// What an access did to an item, or an app says of one.
struct ItemChange: Codable, Hashable, Sendable {
  enum Kind: String, Codable, Sendable { case appeared, changed, moved, deleted, attributes }

  var kind: Kind
  var path: MessagePath
  var member: MessagePath?
  /// The new place of one that was moved.
  var target: MessagePath?
  var attributes: [String]?
}

/// A message to a process that presents items.
struct CoordinationRequest: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    case relinquish, save, makeWay
    /// The access is over; no answer.
    case conclude
    /// The locks of this purpose, where the process has them.
    case join

    init(_ question: AccessMachine.Question) {
      self =
        switch question {
        case .relinquish: .relinquish
        case .save: .save
        case .makeWay: .makeWay
        }
    }
  }

  var number: Int
  var kind: Kind
  /// With the first message of an access.
  var access: AccessDescription?
  var changes: [ItemChange]?
  var purpose: String?
}

/// The answer to a message.
struct CoordinationReply: Codable, Sendable {
  var number: Int
  var isConcerned: Bool?
  var failure: String?
}

/// Puts messages into frames.
enum MessageCoding {
  static func frame(_ message: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(message))
  }

  static func message<Message: Decodable>(_ type: Message.Type, in frame: [UInt8]) throws
    -> Message
  {
    try JSONDecoder().decode(type, from: Data(frame))
  }
}
