package import DocumentGit

/// A request for objects from a server: `git-upload-pack`, version 0 of the protocol.
///
/// One request names all wanted objects, and the objects that are here. The caller knows which ones to name, so no
/// negotiation is needed.
package struct Fetching {
  /// The objects to fetch, with everything that they lead to.
  package var wants: [ObjectID]
  /// The objects that are here, with everything that they lead to.
  package var haves: [ObjectID]

  package init(wants: [ObjectID], haves: [ObjectID]) {
    self.wants = wants
    self.haves = haves
  }

  /// Returns the request.
  func request(to greeting: Greeting) throws(TransportError) -> GitRequest {
    try greeting.require("side-band-64k")
    let abilities =
      ["side-band-64k", "thin-pack", "ofs-delta", "no-progress"]
      .filter { greeting.abilities.contains(Substring($0)) } + ["agent=docversions"]
    var bytes: [UInt8] = []
    for (number, want) in wants.enumerated() {
      let suffix = number == 0 ? " " + abilities.joined(separator: " ") : ""
      bytes += PacketLine.line("want \(want)\(suffix)")
    }
    bytes += PacketLine.flush
    for have in haves { bytes += PacketLine.line("have \(have)") }
    return GitRequest(bytes: bytes + PacketLine.line("done"))
  }
}

/// Parses the answer to a ``Fetching``: a line about common objects, and the pack in pieces.
struct FetchAnswer {
  private var reader = PacketReader()
  private var hasPack = false
  private(set) var isComplete = false

  /// Adds bytes of the answer.
  ///
  /// - Parameter receive: receives the bytes of the pack.
  mutating func add(
    _ bytes: ArraySlice<UInt8>, _ receive: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    reader.add(bytes)
    while let packet = try reader.next() {
      guard case .data(let data) = packet else {
        if hasPack { isComplete = true }
        continue
      }
      if let message = data.errorMessage {
        throw TransportError.refused(message, hint: TransportError.replacing)
      }
      let line = hasPack ? "" : data.line
      if line == "NAK" || line.hasPrefix("ACK ") || line.hasPrefix("shallow ") { continue }
      switch data.first {
      case 1:
        hasPack = true
        try receive(data.dropFirst())
      case 2: continue
      case 3:
        throw TransportError.refused(data.dropFirst().line, hint: TransportError.replacing)
      default: throw TransportError.notGit
      }
    }
  }
}
