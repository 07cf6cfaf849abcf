package import DocumentGit

/// A request to move references on a server and to send their objects: `git-receive-pack`, version 0 of the protocol.
package struct Pushing {
  /// A reference with its present and its new value.
  package struct Move {
    package var name: String
    /// The present value; `nil` if the reference doesn't exist.
    package var former: ObjectID?
    /// The new value; `nil` to remove the reference.
    package var target: ObjectID?
    /// True if the reference only moves forward; restarting a branch is a force-push, which hosts may forbid.
    package var isForward = true

    package init(_ name: String, from former: ObjectID?, to target: ObjectID?) {
      self.name = name
      self.former = former
      self.target = target
    }
  }

  package var moves: [Move]
  /// The pack with the objects that the server lacks; `nil` if references are only removed.
  package var pack: OutgoingFile?

  package init(_ moves: [Move], pack: OutgoingFile?) {
    self.moves = moves
    self.pack = pack
  }

  /// Returns the request, after checking that the references have their expected values.
  func request(to greeting: Greeting) throws(TransportError) -> GitRequest {
    for move in moves where greeting.references[move.name] != move.former {
      throw TransportError(
        .changedMeanwhile, "“\(Readable.text(move.name))” has changed on the server.",
        hint: "Nothing was sent; try again.")
    }
    try greeting.require("report-status")
    if moves.contains(where: { $0.target == nil }) { try greeting.require("delete-refs") }
    let abilities =
      ["report-status", "side-band-64k", "ofs-delta", "atomic", "quiet"]
      .filter { greeting.abilities.contains(Substring($0)) } + ["agent=docversions"]
    var bytes: [UInt8] = []
    for (number, move) in moves.enumerated() {
      let nothing = String(repeating: "0", count: 40)
      let values = [move.former, move.target].map { $0?.description ?? nothing }
      let line = "\(values[0]) \(values[1]) \(move.name)"
      let suffix = number == 0 ? "\0 " + abilities.joined(separator: " ") : ""
      bytes += PacketLine.data(Array((line + suffix).utf8))
    }
    return GitRequest(bytes: bytes + PacketLine.flush, file: pack)
  }
}

/// Parses the answer to a ``Pushing``: a line about the pack, and one about each reference.
struct PushAnswer {
  private var outer = PacketReader()
  private var inner = PacketReader()
  private let hasBands: Bool
  private var unpacked: String?
  private var refused: [(name: String, reason: String)] = []
  private var taken: Set<String> = []
  /// The server's messages for people.
  private var remarks: [UInt8] = []

  init(to greeting: Greeting) {
    hasBands = greeting.abilities.contains("side-band-64k")
  }

  /// Adds bytes of the answer.
  mutating func add(_ bytes: ArraySlice<UInt8>) throws(TransportError) {
    guard hasBands else { return try read(bytes) }
    outer.add(bytes)
    while let packet = try outer.next() {
      guard case .data(let data) = packet else { continue }
      if let message = data.errorMessage { throw .refused(message) }
      switch data.first {
      case 1: try read(data.dropFirst())
      case 2:
        if remarks.count < 1 << 16 { remarks += data.dropFirst() }
      case 3: throw .refused(data.dropFirst().line)
      default: throw .notGit
      }
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) throws(TransportError) {
    inner.add(bytes)
    while let packet = try inner.next() {
      guard case .data(let data) = packet else { continue }
      if let message = data.errorMessage { throw .refused(message) }
      let line = data.line
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch words.first {
      case "unpack": unpacked = String(line.dropFirst("unpack ".count))
      case "ok" where words.count > 1: taken.insert(words[1])
      case "ng" where words.count > 1:
        refused.append((words[1], words.count > 2 ? words[2] : "no reason given"))
      default: throw .notGit
      }
    }
  }

  /// Throws an error unless every reference was moved.
  func check(_ moves: [Pushing.Move]) throws(TransportError) {
    guard let unpacked else { throw .cut }
    guard unpacked == "ok" else {
      throw TransportError(
        .refused, "The server couldn’t accept what was sent: \(Readable.text(unpacked))\(said)",
        hint: TransportError.replacing)
    }
    // If the server rejects one reference, it rejects all; the one that needs a force-push is the best
    // explanation.
    let anew = moves.filter { !$0.isForward }.map(\.name)
    let reasons = refused.filter { !$0.reason.contains("atomic") }
    if let first = reasons.first(where: { anew.contains($0.name) }) ?? reasons.first
      ?? refused.first
    {
      let isRemoved = moves.contains { $0.name == first.name && $0.target == nil }
      throw TransportError(
        anew.contains(first.name) ? .notForward : .refused,
        "The server refuses to \(isRemoved ? "remove" : "move") “\(Readable.text(first.name))”: \(Readable.text(first.reason))\(said)",
        hint: isRemoved
          ? "What was published there stays. Allow that references are removed (receive.denyDeletes), and try again."
          : hint(for: first.reason))
    }
    guard moves.allSatisfy({ taken.contains($0.name) }) else { throw .cut }
  }

  private var said: String {
    let lines = Readable.lines(remarks)
    return lines.isEmpty ? "" : " (" + lines.suffix(3).joined(separator: " ") + ")"
  }

  private func hint(for reason: String) -> String? {
    if reason.contains("hook") || reason.contains("protected") || reason.contains("deny") {
      return
        "Allow this device to move references under “refs/docversions/” and “refs/heads/docversions/”."
    }
    return nil
  }
}
