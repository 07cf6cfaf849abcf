internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A search of many documents in a container for those that may be in conflict.
///
/// Most documents are not, and a few small files of each show it. For a document that is in the container
/// index and hasn't changed since, not even these files are read.
struct ConflictSearch {
  let container: FilePath
  /// The folder with the stores.
  let stores: FolderReader
  private let index: ContainerIndex

  /// - Parameters:
  ///   - container: the container.
  ///   - count: how many documents will be checked.
  init(in container: FilePath, at count: Int) throws {
    self.container = container
    stores = try FolderReader(ifThere: Layout.documents(of: container))
    index = count < ContainerIndex.fewest ? ContainerIndex() : ContainerIndex(in: container)
  }

  /// The outcome of a search.
  struct Findings {
    /// The indices of the documents in conflict.
    var inConflict: [Int] = []
    /// The indices of the documents that must be opened.
    var unclear: [Int] = []
    /// The places in the container index of documents whose entries are still valid.
    fileprivate var indexed: [Int] = []
    /// The stamps of other documents that are not in conflict.
    fileprivate var stamps: [HeadStamp] = []

    fileprivate mutating func add(_ other: Findings) {
      inConflict += other.inConflict
      unclear += other.unclear
      indexed += other.indexed
      stamps += other.stamps
    }
  }

  /// Checks the documents.
  func findings(among documents: [Layout.StoredDocument]) -> Findings {
    let found = ForkJoin.mapRanges(of: documents.count, upTo: Self.part) { places in
      var own = Findings()
      for place in places {
        let store = documents[place].store
        if let indexed = index.place(of: store, in: stores) {
          own.indexed.append(indexed)
          continue
        }
        switch HeadReading(store, in: stores) {
        case .single(let stamp): own.stamps.append(stamp)
        case .conflict: own.inConflict.append(place)
        case nil: own.unclear.append(place)
        }
      }
      return own
    }
    return found.reduce(into: Findings()) { $0.add($1) }
  }

  /// Records the documents that are not in conflict, for the next search.
  ///
  /// - Parameters:
  ///   - isOfAll: whether all documents of the container were checked; if so, the index drops all other
  ///     entries.
  ///   - freshness: the freshness at the time when the search began.
  func record(_ findings: Findings, isOfAll: Bool, _ freshness: Freshness) {
    index.record(
      findings.stamps.map { ContainerIndex.Entry(heads: $0) },
      besides: isOfAll ? findings.indexed : nil, freshness, in: container)
  }

  /// The number of documents a thread takes at a time.
  private static let part = 50
}

/// The conflict status of a document that was opened.
struct ConflictStatus {
  /// True if it is in conflict, as far as can be known.
  let isInConflict: Bool
  /// True if only a change of the references or the files beside them can change the status; new objects
  /// can't.
  let isLasting: Bool
}

/// The heads of a document, if a few small files determine them with certainty.
enum HeadReading {
  /// The document has one head, and none was lost.
  case single(HeadStamp)
  /// The document has several heads, and none was lost.
  case conflict

  /// - Parameters:
  ///   - store: the path of the document’s store.
  ///   - stores: the folder from which the path leads to the store.
  /// - Returns: `nil` if the references don't match the heads in the ledger, and in every other case in which
  ///   only the opened store can answer.
  init?(_ store: [UInt8], in stores: FolderReader) {
    // Read first, so that a later change to the store shows in its next status.
    guard let whole = stores.status(of: store),
      let (names, folder) = stores.names(in: store, HeadPath.folder, atMost: Self.most),
      let ledger = stores.end(of: store, HeadPath.ledger, limit: 512)
    else { return nil }
    var references: [(target: ArraySlice<UInt8>, file: FileStatus)] = []
    for name in names {
      guard HeadName.isValid(last: name),
        let (bytes, start, file) = stores.end(of: store, HeadPath.reference(name), limit: 64),
        start == 0, bytes.count == 41, bytes.last == UInt8(ascii: "\n")
      else { return nil }
      references.append((bytes.dropLast(), file))
    }
    guard stores.isAbsent(store, HeadPath.packedReferences) else { return nil }
    guard references.count > 1 else {
      guard let (target, file) = references.first,
        let recorded = HeadLedger.onlyTarget(in: ledger.bytes, at: ledger.start),
        target.elementsEqual(recorded)
      else { return nil }
      self = .single(
        HeadStamp(name: names[0], folder: folder, reference: file, store: whole))
      return
    }
    // No head in the ledger is an ancestor of another one.
    guard let tail = HeadLedger.tail(of: ledger.bytes, at: ledger.start), !tail.isTorn,
      tail.heads.count == references.count,
      Set(tail.heads.map(\.target)) == Set(references.map { ObjectID(hexadecimal: $0.target) }),
      Set(tail.heads.map(\.record)).count == references.count,
      // A lost head may be found again.
      stores.isAbsent(store, HeadPath.lostVersions)
    else { return nil }
    self = .conflict
  }

  /// The most heads to read; more take long to read, and are rare.
  private static let most = 3
}
