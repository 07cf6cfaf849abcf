/// A commit as git stores it: a tree, parents, two signatures and a message.
///
/// Written and read here, byte for byte, because a version's identity is the hash of these bytes, and
/// because libgit2 1.5.1's `git_commit_create` can report success with nothing written.
package struct Commit: Equatable, Sendable {
  /// Who, and when in whole seconds since 1970 with the minutes east of Greenwich.
  package struct Signature: Equatable, Sendable {
    package var name: String
    package var seconds: Int64
    package var minutesFromGMT: Int

    package init(name: String, seconds: Int64, minutesFromGMT: Int = 0) {
      self.name = name
      self.seconds = seconds
      self.minutesFromGMT = minutesFromGMT
    }
  }

  package var tree: ObjectID
  package var parents: [ObjectID]
  package var author: Signature
  package var committer: Signature
  package var message: String

  package init(
    tree: ObjectID, parents: [ObjectID], author: Signature, committer: Signature, message: String
  ) {
    self.tree = tree
    self.parents = parents
    self.author = author
    self.committer = committer
    self.message = message
  }

  /// The object to write.
  package func encoded() throws(GitError) -> GitObject {
    var text = "tree \(tree)\n"
    for parent in parents { text += "parent \(parent)\n" }
    text += "author \(author.encoded)\ncommitter \(committer.encoded)\n\n\(message)"
    return try GitObject(.commit, Array(text.utf8))
  }

  /// Reads a commit object; headers that it does not know are passed over.
  package init(decoding bytes: [UInt8]) throws(GitError) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(ofBlankLine: ()) else {
      throw .malformed("a commit has no message")
    }
    var tree: ObjectID?
    var parents: [ObjectID] = []
    var author: Signature?
    var committer: Signature?
    for line in text[..<end.lowerBound].split(separator: "\n") {
      let (key, value) = line.splitOnce(at: " ")
      switch key {
      case "tree": tree = ObjectID(hexadecimal: value)
      case "parent":
        guard let parent = ObjectID(hexadecimal: value) else {
          throw .malformed("a commit has a parent that is no object id")
        }
        parents.append(parent)
      case "author": author = Signature(decoding: value)
      case "committer": committer = Signature(decoding: value)
      default: continue
      }
    }
    guard let tree, let author, let committer else {
      throw .malformed("a commit lacks its tree, author or committer")
    }
    self.init(
      tree: tree, parents: parents, author: author, committer: committer,
      message: String(text[end.upperBound...]))
  }
}

extension Commit.Signature {
  /// The form of a commit's header line: `Name <> seconds +hhmm`.
  fileprivate var encoded: String {
    let sign = minutesFromGMT < 0 ? "-" : "+"
    let (hours, minutes) = abs(minutesFromGMT).quotientAndRemainder(dividingBy: 60)
    let zone = "\(sign)\(hours < 10 ? "0" : "")\(hours)\(minutes < 10 ? "0" : "")\(minutes)"
    return "\(safeName) <> \(seconds) \(zone)"
  }

  /// The name without what would end the field early; git refuses an empty one.
  private var safeName: String {
    let forbidden: Set<Unicode.Scalar> = ["<", ">", "\n", "\r", "\0"]
    let kept = name.unicodeScalars.filter { !forbidden.contains($0) }
    let trimmed = String(String.UnicodeScalarView(kept)).split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? "unknown" : trimmed
  }

  fileprivate init?(decoding text: Substring) {
    guard let open = text.firstIndex(of: "<"), let close = text.lastIndex(of: ">"), open < close else {
      return nil
    }
    let fields = text[text.index(after: close)...].split(separator: " ")
    guard fields.count == 2, let seconds = Int64(fields[0]), let zone = Int(fields[1]) else {
      return nil
    }
    let (hours, minutes) = abs(zone).quotientAndRemainder(dividingBy: 100)
    var name = text[..<open]
    while name.last == " " { name.removeLast() }
    self.init(
      name: String(name), seconds: seconds,
      minutesFromGMT: (zone < 0 ? -1 : 1) * (hours * 60 + minutes))
  }
}

extension String {
  fileprivate func range(ofBlankLine: Void) -> Range<Index>? {
    var previous: Index?
    for index in utf8.indices where utf8[index] == UInt8(ascii: "\n") {
      if let previous, utf8.index(after: previous) == index {
        return previous..<utf8.index(after: index)
      }
      previous = index
    }
    return nil
  }
}

extension Substring {
  fileprivate func splitOnce(at separator: Character) -> (Substring, Substring) {
    guard let index = firstIndex(of: separator) else { return (self, "") }
    return (self[..<index], self[self.index(after: index)...])
  }
}
