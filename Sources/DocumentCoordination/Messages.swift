internal import DocumentFiles
internal import Foundation
internal import SystemPackage

/// A path in a message: text if it is valid UTF-8, otherwise bytes.
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

/// The description of an access for presenters.
struct AccessDescription: Codable, Hashable, Sendable {
  enum Kind: String, Codable, Sendable {
    case reading, writing
    /// A folder is moved or deleted with its contents.
    case moving, deleting
    /// The item and its contents are about to be accessed individually.
    case preparingToRead, preparingToWrite

    /// True if the access concerns presenters of the item's contents in the same way as those of the item.
    var isOfAllInside: Bool { self != .reading && self != .writing }
    var isWrite: Bool { self != .reading && self != .preparingToRead }
    /// True if other accesses are excluded.
    var isClaim: Bool { self != .preparingToRead && self != .preparingToWrite }
  }

  struct Item: Codable, Hashable, Sendable {
    var path: MessagePath
    var kind: Kind
    /// The named item inside a package.
    var member: MessagePath?
    /// True if presenters should save unsaved changes first.
    var needsSave: Bool

    var reach: ItemReach { ItemReach(path.path, isOfAllInside: kind.isOfAllInside) }
  }

  var identifier: String
  var program: ProgramIdentity
  /// The presenter that the access is for, which receives no messages.
  var presenter: String?
  var items: [Item]
}

/// A change of an item that an access made or an app reported.
struct ItemChange: Codable, Hashable, Sendable {
  enum Kind: String, Codable, Sendable { case appeared, changed, moved, deleted, attributes }

  var kind: Kind
  var path: MessagePath
  var member: MessagePath?
  /// The new location of a moved item.
  var target: MessagePath?
  var attributes: [String]?
}

/// A message to a process that presents items.
struct CoordinationRequest: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    case relinquish, save, makeWay
    /// The access is over; there is no answer.
    case conclude
    /// A request for the locks of a purpose, if the process has them.
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
  /// The access, in its first message.
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

/// Encodes messages as frames.
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
