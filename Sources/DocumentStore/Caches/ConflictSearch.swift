internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// One search among many documents of a container for those that may be in a conflict.
///
/// Most are in none, and a few small files of each say so. Of those that the container index has, and that have not
/// changed since, not even these files are read.
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
    /// The places of those that are in a conflict.
    var inConflict: [Int] = []
    /// The places of those that have to be opened.
    var unclear: [Int] = []
    /// The places in the index of those that it still has right.
    fileprivate var indexed: [Int] = []
    /// The stamps of others that are in no conflict.
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

  /// Records those that are in no conflict, for the next search.
  ///
  /// - Parameters:
  ///   - isOfAll: whether all documents of the container were checked: then the index drops all others.
  ///   - freshness: of when the search began.
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
  /// Whether it is in a conflict, as far as can be known.
  let isInConflict: Bool
  /// Whether that can change only with the references and the files beside them, not by objects that appear.
  let isLasting: Bool
}

/// The heads of a document, as far as a few small files are certain about them.
enum HeadReading {
  /// It has one head, and none was lost.
  case single(HeadStamp)
  /// It has several, and none was lost.
  case conflict

  /// - Parameters:
  ///   - store: the path of the document’s store.
  ///   - stores: the folder from which the path leads to the store.
  /// - Returns: `nil` if the references are not at the heads that the ledger has, and wherever the store has to be
  ///   opened to know.
  init?(_ store: [UInt8], in stores: FolderReader) {
    // Its status first: what appears in it later shows in the next one.
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
    // The ledger lists heads of which none was made from another one.
    guard let tail = HeadLedger.tail(of: ledger.bytes, at: ledger.start), !tail.isTorn,
      tail.heads.count == references.count,
      Set(tail.heads.map(\.target)) == Set(references.map { ObjectID(hexadecimal: $0.target) }),
      Set(tail.heads.map(\.record)).count == references.count,
      // What was lost may be found again.
      stores.isAbsent(store, HeadPath.lostVersions)
    else { return nil }
    self = .conflict
  }

  /// More heads take long to read, and are rare.
  private static let most = 3
}
