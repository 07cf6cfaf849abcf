internal import DocumentGit
internal import DocumentStore

/// The contents that devices published last for each document, in parts that are fetched one after the other.
struct PublishedParts {
  /// The published contents to fetch together.
  private(set) var parts: [[ObjectID]] = []
  /// The published contents that are here.
  private(set) var present: Set<ObjectID> = []
  private var wanted: Set<ObjectID> = []
  private var bytesOfPart = 0
  private let limits: TransferStep

  /// Reads the states of devices, whose records are here.
  init(
    of states: some Sequence<ObjectID>, in peer: PeerObjects, upTo limits: TransferStep
  ) throws {
    self.limits = limits
    for id in states.sorted() {
      do {
        let state = try StateTree(at: id, in: peer.repository.objects)
        for identifier in try state.differences(from: nil).documents.sorted() {
          guard let document = try state.document(identifier), let newest = document.newest
          else { continue }
          try add(newest, of: document, in: peer)
        }
      } catch let error as GitError where !error.isFromSystem {
        // A state that can't be read in parts is fetched whole, or reported then.
      }
    }
  }

  /// True if the missing contents take more than one part.
  var isLarge: Bool { parts.count > 1 }

  private mutating func add(
    _ content: ObjectID, of document: PublishedDocument, in peer: PeerObjects
  ) throws {
    guard !present.contains(content), wanted.insert(content).inserted else { return }
    if try peer.repository.containedWhenLastListed(content) {
      present.insert(content)
      return
    }
    // Less is sent of contents that change little, but the size only limits how much a broken connection
    // loses.
    let size = try document.heads.map(peer.size).max() ?? 0
    if parts.isEmpty || parts[parts.count - 1].count >= limits.documents
      || bytesOfPart > 0 && bytesOfPart + size > limits.bytes
    {
      parts.append([])
      bytesOfPart = 0
    }
    parts[parts.count - 1].append(content)
    bytesOfPart += size
  }
}
