/// A commit as git stores it: a tree, parents, two signatures and a message.
///
/// docversions writes and reads commits itself, byte for byte. A version's identity is the hash of these
/// bytes, and `git_commit_create` of libgit2 1.5.1 can report success without writing anything.
package struct Commit: Equatable, Sendable {
  /// A person's name, and the time in whole seconds since 1970 with the minutes east of Greenwich.
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

  /// Returns the object to write.
  package func encoded() -> GitObject {
    var text = "tree \(tree)\n"
    for parent in parents { text += "parent \(parent)\n" }
    text += "author \(author.encoded)\ncommitter \(committer.encoded)\n\n\(message)"
    return GitObject(.commit, Array(text.utf8))
  }

  /// Reads a commit object, ignoring unknown headers.
  package init(decoding bytes: [UInt8]) throws(GitError) {
    var tree: ObjectID?
    var parents: [ObjectID] = []
    var author: Signature?
    var committer: Signature?
    var rest = bytes[...]
    while let line = rest.removeFirstLine() {
      if line.isEmpty {
        guard let tree, let author, let committer else { break }
        self.init(
          tree: tree, parents: parents, author: author, committer: committer,
          message: String(decoding: rest, as: UTF8.self))
        return
      }
      if let value = line.value(of: "tree ") {
        tree = ObjectID(hexadecimal: value)
      } else if let value = line.value(of: "parent ") {
        guard let parent = ObjectID(hexadecimal: value) else {
          throw .malformed("a commit has a parent that isn’t an object id")
        }
        parents.append(parent)
      } else if let value = line.value(of: "author ") {
        author = Signature(decoding: value)
      } else if let value = line.value(of: "committer ") {
        committer = Signature(decoding: value)
      }
    }
    throw .malformed("a commit lacks its tree, author, committer or message")
  }
}

extension Commit.Signature {
  /// The signature in the form of a commit's header line: `Name <> seconds +hhmm`.
  fileprivate var encoded: String {
    let sign = minutesFromGMT < 0 ? "-" : "+"
    let (hours, minutes) = minutesFromGMT.magnitude.quotientAndRemainder(dividingBy: 60)
    let zone = "\(sign)\(hours < 10 ? "0" : "")\(hours)\(minutes < 10 ? "0" : "")\(minutes)"
    return "\(safeName) <> \(seconds) \(zone)"
  }

  /// The name without characters that would end the field; git refuses an empty name.
  private var safeName: String {
    let forbidden: [Unicode.Scalar] = ["<", ">", "\n", "\r", "\0"]
    let kept = name.unicodeScalars.filter { !forbidden.contains($0) }
    let trimmed = String(String.UnicodeScalarView(kept)).split(separator: " ").joined(
      separator: " ")
    return trimmed.isEmpty ? "unknown" : trimmed
  }

  fileprivate init?(decoding line: ArraySlice<UInt8>) {
    guard let open = line.firstIndex(of: UInt8(ascii: "<")),
      let close = line.lastIndex(of: UInt8(ascii: ">")), open < close
    else { return nil }
    let fields = line[(close + 1)...].split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    // The zone is read as a decimal number: +0530 is 5 hours and 30 minutes.
    guard fields.count == 2, let seconds = Int64(fields[0]), let zone = Int16(fields[1]) else {
      return nil
    }
    let (hours, minutes) = Int(zone).quotientAndRemainder(dividingBy: 100)
    var name = line[..<open]
    while name.last == UInt8(ascii: " ") { name.removeLast() }
    self.init(
      name: String(decoding: name, as: UTF8.self), seconds: seconds,
      minutesFromGMT: hours * 60 + minutes)
  }
}

extension ArraySlice<UInt8> {
  /// Removes the first line and its end; `nil` if there is no complete line.
  fileprivate mutating func removeFirstLine() -> ArraySlice? {
    guard let end = firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { self = self[(end + 1)...] }
    return self[..<end]
  }

  /// Returns the text after a header's name; `nil` for another header.
  fileprivate func value(of header: String) -> ArraySlice? {
    starts(with: header.utf8) ? dropFirst(header.utf8.count) : nil
  }
}
