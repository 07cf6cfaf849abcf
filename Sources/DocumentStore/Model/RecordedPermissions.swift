internal import DocumentFiles

/// The permission bits of a document when it was saved, in octal digits such as `600`.
///
/// They keep a private document private when it is written again. They are not part of the contents: changing
/// only the bits isn't an edit.
package struct RecordedPermissions: Codable, Hashable, Sendable {
  /// The bits of the document itself.
  private(set) var document: Bits
  /// The bits of a package's files that are not listed.
  private(set) var files: Bits?
  /// The bits of a package's folders that are not listed.
  private(set) var folders: Bits?
  /// The bits of other members, by their paths.
  private(set) var members: [String: Bits]?

  /// Permission bits for reading, writing and running; no others.
  struct Bits: Codable, Hashable, Sendable {
    let number: UInt32

    init(_ number: UInt32) { self.number = number & 0o777 }

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard text.utf8.count <= 4, let number = UInt32(text, radix: 8) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "no permission bits"))
      }
      self.init(number)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(String(number, radix: 8))
    }
  }

  /// The greatest number of listed members; with more, all members get the bits that every one of them has.
  private static let mostMembers = 256

  /// Takes the bits of a document that was read.
  init(_ listing: ItemListing) {
    document = Bits(listing.status.permissions)
    guard listing.isPackage else { return }
    var all: [Member] = []
    Self.collect(listing, path: [], into: &all)
    describe(all)
  }

  /// Creates the bits that only some classes of users have.
  ///
  /// - Parameter recorded: the bits to choose from; `nil` for all of them.
  init(_ recorded: RecordedPermissions? = nil, limitedTo readership: Readership) {
    let most = Bits(readership.mask)
    document = recorded?.document.intersection(most) ?? most
    files = recorded?.files?.intersection(most)
    folders = recorded?.folders?.intersection(most)
    members = recorded?.members?.mapValues { $0.intersection(most) }
  }

  private struct Member {
    /// The path; `nil` if it isn't text.
    let path: String?
    let isFolder: Bool
    let bits: Bits
  }

  private static func collect(
    _ listing: ItemListing, path: [[UInt8]], into all: inout [Member]
  ) {
    for member in listing.members ?? [] where member.status.kind != .symbolicLink {
      let path = path + [member.name]
      all.append(
        Member(
          path: text(path), isFolder: member.isPackage, bits: Bits(member.status.permissions)))
      collect(member, path: path, into: &all)
    }
  }

  /// Sets the bits of all members: the most frequent ones, and those of the members that differ.
  private mutating func describe(_ all: [Member]) {
    files = Self.mostFrequent(all.lazy.filter { !$0.isFolder }.map(\.bits))
    folders = Self.mostFrequent(all.lazy.filter(\.isFolder).map(\.bits))
    let others = all.filter { $0.bits != ($0.isFolder ? folders : files) }
    guard others.count <= Self.mostMembers, others.allSatisfy({ $0.path != nil }) else {
      for member in others {
        if member.isFolder {
          folders = folders.map { $0.intersection(member.bits) }
        } else {
          files = files.map { $0.intersection(member.bits) }
        }
      }
      return
    }
    members =
      others.isEmpty
      ? nil
      : Dictionary(
        others.map { ($0.path ?? "", $0.bits) }, uniquingKeysWith: { $0.intersection($1) })
  }

  private static func mostFrequent(_ bits: some Sequence<Bits>) -> Bits? {
    bits.reduce(into: [:]) { counts, bits in counts[bits, default: 0] += 1 }
      .max { ($0.value, $0.key.number) < ($1.value, $1.key.number) }?.key
  }

  /// Returns the path of a member as text; `nil` if it isn't text.
  private static func text(_ path: [[UInt8]]) -> String? {
    String(validating: path.joined(separator: [UInt8(ascii: "/")]), as: UTF8.self)
  }

  // MARK: Use

  /// Returns the bits of the document, or of one of its members.
  ///
  /// - Parameters:
  ///   - path: the names that lead to the member; none for the document.
  ///   - isFolder: whether it is a folder.
  func bits(at path: [[UInt8]], isFolder: Bool) -> UInt32 {
    let usual = (isFolder ? folders : files) ?? document.asFile(!isFolder)
    guard !path.isEmpty else { return document.number }
    return (Self.text(path).flatMap { members?[$0] } ?? usual).number
  }

  /// Returns the bits that both sides allow.
  package func intersection(_ other: RecordedPermissions?) -> RecordedPermissions {
    guard let other else { return self }
    var result = self
    result.document = document.intersection(other.document)
    result.files = files.map { $0.intersection(other.files ?? $0) } ?? other.files
    result.folders = folders.map { $0.intersection(other.folders ?? $0) } ?? other.folders
    let names = Set((members ?? [:]).keys).union((other.members ?? [:]).keys)
    var named: [String: Bits] = [:]
    for name in names {
      let (own, others) = (members?[name], other.members?[name])
      named[name] = own.map { own in others.map { own.intersection($0) } ?? own } ?? others
    }
    guard named.count <= Self.mostMembers else {
      let all = named.values.reduce(Bits(0o777)) { $0.intersection($1) }
      result.files = result.files.map { $0.intersection(all) }
      result.folders = result.folders.map { $0.intersection(all.forFolder) }
      result.members = nil
      return result
    }
    result.members = named.isEmpty ? nil : named
    return result
  }

  /// Returns the bits that all versions with known bits allow; `nil` if no version has known bits.
  static func allowed(by versions: [Record]) -> RecordedPermissions? {
    versions.compactMap(\.facts.permissions).reduce(nil) { $1.intersection($0) }
  }

  /// Returns these permissions with those of members that were just read.
  func updating(_ listings: [(path: [[UInt8]], listing: ItemListing)]) -> RecordedPermissions {
    var result = self
    var named = members ?? [:]
    for (path, listing) in listings where listing.status.kind != .symbolicLink {
      var all: [Member] = []
      Self.collect(listing, path: path, into: &all)
      all.append(
        Member(
          path: Self.text(path), isFolder: listing.isPackage,
          bits: Bits(listing.status.permissions)))
      for member in all {
        if let path = member.path, named[path] != nil || named.count < Self.mostMembers {
          named[path] = member.bits
        } else if member.isFolder {
          result.folders = (folders ?? member.bits).intersection(member.bits)
        } else {
          result.files = (files ?? member.bits).intersection(member.bits)
        }
      }
    }
    result.members = named.isEmpty ? nil : named
    return result
  }

  /// The classes of users who can read all of the document.
  var readership: Readership {
    let isPackage = files != nil || folders != nil
    var readership = Readership(permissions: document.number, isFolder: isPackage)
    if let folders {
      readership = readership.intersection(.init(permissions: folders.number, isFolder: true))
    }
    let others = [files, members.flatMap { $0.values.reduce(nil, Self.fewest) }]
    return others.compactMap(\.self).reduce(readership) {
      $0.intersection(Readership(permissions: $1.number, isFolder: false))
    }
  }

  private static func fewest(_ left: Bits?, _ right: Bits) -> Bits {
    left?.intersection(right) ?? right
  }
}

extension RecordedPermissions.Bits {
  func intersection(_ other: Self) -> Self { Self(number & other.number) }

  /// The bits with the permission to enter for each class of users that can read.
  fileprivate var forFolder: Self { Self(number | (number & 0o444) >> 2) }

  /// Returns the bits without the permission to run if they are for a file.
  fileprivate func asFile(_ isFile: Bool) -> Self { isFile ? Self(number & 0o666) : forFolder }
}

extension DocumentItem {
  /// Returns this with the recorded permission bits; the item gets no others.
  ///
  /// - Parameters:
  ///   - permissions: the permissions of the document; `nil` if none were recorded.
  ///   - path: the names that lead to the item in the document.
  func recorded(_ permissions: RecordedPermissions?, at path: [[UInt8]] = []) -> DocumentItem {
    guard let permissions else { return self }
    func attributes(isFolder: Bool) -> ItemAttributes {
      var attributes = ItemAttributes()
      attributes.most = permissions.bits(at: path, isFolder: isFolder)
      return attributes
    }
    switch self {
    case .file: return .attributed(attributes(isFolder: false), self)
    case .folder(let members):
      return .attributed(
        attributes(isFolder: true),
        .folder {
          try members().map { ($0.name, $0.item.recorded(permissions, at: path + [$0.name])) }
        })
    case .replacing(let name, let item):
      return .replacing(name, item.recorded(permissions, at: path))
    case .attributed(let own, let item):
      return .attributed(own, item.recorded(permissions, at: path))
    case .symbolicLink, .unchanged, .unchangedIf: return self
    }
  }
}
