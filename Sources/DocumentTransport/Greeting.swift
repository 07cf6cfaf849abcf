package import DocumentGit

/// The greeting of a service: the references of the repository, and the service's capabilities.
package struct Greeting: Sendable {
  /// The requested references, by their full names.
  package internal(set) var references: [String: ObjectID] = [:]
  /// The number of other branches and tags.
  package internal(set) var others = 0
  /// True if `HEAD` leads to a commit, so that a clone checks something out; only the upload service reports it.
  package internal(set) var hasHead = false
  /// The capabilities.
  var abilities: Set<Substring> = []

  /// Throws an error unless the service has a capability.
  func require(_ ability: String) throws(TransportError) {
    guard abilities.contains(Substring(ability)) else {
      throw TransportError(.refused, "The server is too old: it does not know “\(ability)”.")
    }
  }
}

/// Parses a greeting from bytes that arrive in pieces of any size.
struct GreetingReader {
  private(set) var greeting = Greeting()
  private var reader = PacketReader()
  private var size = 0
  private var count = 0
  private let isWanted: (String) -> Bool
  /// The service that a web server names first.
  private var announcement: GitService?
  private var isAnnounced = false

  /// - Parameters:
  ///   - announcement: the service that must be named first, as web servers do.
  ///   - isWanted: selects the references to keep.
  init(announcing announcement: GitService? = nil, keeping isWanted: @escaping (String) -> Bool) {
    self.announcement = announcement
    self.isWanted = isWanted
  }

  /// Adds bytes, and returns whether the greeting is complete.
  mutating func add(_ bytes: ArraySlice<UInt8>) throws(TransportError) -> Bool {
    size += bytes.count
    guard size <= Self.most else {
      throw TransportError(.malformed, "The server has more references than can be read.")
    }
    reader.add(bytes)
    while let packet = try reader.next() {
      switch packet {
      case .flush:
        if isAnnounced {
          // The end of the announcement.
          isAnnounced = false
          continue
        }
        return true
      case .data(let bytes):
        if let service = announcement {
          guard bytes.line == "# service=\(service.rawValue)" else { throw .notGit }
          announcement = nil
          isAnnounced = true
        } else {
          try take(bytes)
        }
      }
    }
    return false
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) throws(TransportError) {
    if let message = bytes.errorMessage { throw .refused(message) }
    var parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    if count == 0, parts.count == 2 {
      let abilities = parts[1].line
      greeting.abilities = Set(abilities.split(separator: " "))
      guard !abilities.contains("object-format=sha256") else {
        throw TransportError(
          .refused, "The repository names its objects by SHA-256, which docversions does not.",
          hint: "Make a repository with “git init --bare --object-format=sha1”.")
      }
    }
    count += 1
    let words = parts.removeFirst().line.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { throw .notGit }
    if words[0] == "shallow" || words[0] == "version" { return }
    guard let id = ObjectID(hexadecimal: words[0]) else { throw .notGit }
    let name = String(words[1])
    if name == "HEAD" { greeting.hasHead = true }
    if name == "HEAD" || name == "capabilities^{}" || name.hasSuffix("^{}") { return }
    if isWanted(name) {
      greeting.references[name] = id
    } else if name.hasPrefix("refs/heads/") || name.hasPrefix("refs/tags/") {
      greeting.others += 1
    }
  }

  /// The maximum size of a greeting in bytes, enough for a million references.
  private static let most = 128 << 20
}

extension TransportError {
  /// The way out if a server has lost objects, which is only known to its owner.
  static let replacing = """
    If the repository has lost objects, move it away, and make an empty one in its place: the devices send it \
    everything that they have.
    """

  /// Returns the error for a server's refusal.
  static func refused(_ message: String, hint: String? = nil) -> TransportError {
    let text = Readable.text(message)
    let words = text.lowercased()
    if words.contains("not found") || words.contains("not exist")
      || words.contains("not exported") || words.contains("does not appear to be")
      || words.contains("no such")
    {
      return TransportError(
        .noRepository, "There is no such repository, or it may not be read: \(text)")
    }
    return TransportError(.refused, "The server refuses: \(text)", hint: hint)
  }
}

extension ArraySlice<UInt8> {
  /// The reason in a packet that ends the conversation; `nil` in any other.
  var errorMessage: String? {
    let start = Array("ERR ".utf8)
    return starts(with: start) ? dropFirst(start.count).line : nil
  }
}
