internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// One look at many documents of a container: which of them may be in a conflict.
///
/// Most are in none, and that shows in a few small files: of those that have not changed since they were looked at not
/// even these are read.
struct ConflictLook {
  let container: FilePath
  /// The folder with the stores.
  let stores: FolderReader
  private let quiet: QuietDocuments

  /// - Parameters:
  ///   - container: it has a folder with stores.
  ///   - count: how many documents will be looked at.
  init(in container: FilePath, at count: Int) throws {
    self.container = container
    stores = try FolderReader(Layout.documents(of: container))
    quiet = count < QuietDocuments.fewest ? QuietDocuments() : QuietDocuments(in: container)
  }

  /// What was seen.
  struct Findings {
    /// The places of those that are in a conflict.
    var inConflict: [Int] = []
    /// The places of those that have to be opened.
    var unclear: [Int] = []
    /// Those of which an earlier look knows that they are in no conflict.
    fileprivate var known: [Int] = []
    /// Those of which this one has found it.
    fileprivate var seen: [HeadStamp] = []

    fileprivate mutating func add(_ other: Findings) {
      inConflict += other.inConflict
      unclear += other.unclear
      known += other.known
      seen += other.seen
    }
  }

  /// Looks at the documents.
  func findings(among documents: [Layout.StoredDocument]) -> Findings {
    let found = ForkJoin.mapRanges(of: documents.count, upTo: Self.part) { places in
      var own = Findings()
      for place in places {
        let store = documents[place].store
        if let known = quiet.place(of: store, in: stores) {
          own.known.append(known)
          continue
        }
        switch QuickLook(store, in: stores) {
        case .quiet(let stamp): own.seen.append(stamp)
        case .inConflict: own.inConflict.append(place)
        case nil: own.unclear.append(place)
        }
      }
      return own
    }
    return found.reduce(into: Findings()) { $0.add($1) }
  }

  /// Notes those that are in no conflict, for the next look.
  ///
  /// - Parameters:
  ///   - isOfAll: whether all documents of the container were looked at: then what is known of others is dropped.
  ///   - latest: those that changed since then, in nanoseconds since 1970, are left out.
  func note(_ findings: Findings, isOfAll: Bool, unchangedSince latest: Int64) {
    quiet.note(
      findings.seen, besides: isOfAll ? findings.known : nil, unchangedSince: latest, in: container)
  }

  /// How many documents a thread takes at a time.
  private static let part = 50
}

/// What a few small files of a document tell for certain.
enum QuickLook {
  /// It has one head, and none was lost.
  case quiet(HeadStamp)
  /// It has several, and none was lost.
  case inConflict

  /// - Parameters:
  ///   - store: the path of the document’s store.
  ///   - stores: the folder from which the path leads there.
  /// - Returns: nil where the references are not at the heads that the ledger tells, and all else that needs a closer
  ///   look.
  init?(_ store: [UInt8], in stores: FolderReader) {
    // Its status first: what appears in it later shows in the next one.
    guard let whole = stores.status(of: store),
      let (names, folder) = stores.names(in: store, HeadPlace.folder, atMost: Self.most),
      let ledger = stores.end(of: store, HeadPlace.ledger, limit: 512)
    else { return nil }
    var references: [(target: ArraySlice<UInt8>, file: FileStatus)] = []
    for name in names {
      guard Head.isName(name),
        let (bytes, start, file) = stores.end(of: store, HeadPlace.reference(name), limit: 64),
        start == 0, bytes.count == 41, bytes.last == UInt8(ascii: "\n")
      else { return nil }
      references.append((bytes.dropLast(), file))
    }
    guard stores.isAbsent(store, HeadPlace.packedReferences) else { return nil }
    guard references.count > 1 else {
      guard let (target, file) = references.first,
        let noted = HeadLedger.onlyTarget(in: ledger.bytes, at: ledger.start),
        target.elementsEqual(noted)
      else { return nil }
      self = .quiet(
        HeadStamp(name: names[0], folder: folder, reference: file, store: whole))
      return
    }
    // What the ledger tells are heads of which none was made from another one.
    guard let tail = HeadLedger.tail(of: ledger.bytes, at: ledger.start), !tail.isTorn,
      tail.heads.count == references.count,
      Set(tail.heads.map(\.target)) == Set(references.map { ObjectID(hexadecimal: $0.target) }),
      Set(tail.heads.map(\.record)).count == references.count,
      // What was lost may be found again.
      stores.isAbsent(store, HeadPlace.lostVersions)
    else { return nil }
    self = .inConflict
  }

  /// More heads take long to read, and are rare.
  private static let most = 3
}
