internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The documents of a container that an exchange left with nothing to exchange: a file `quiet-exchanges`.
///
/// A cache, so that an exchange opens only documents that have changed, and reads only versions that have followed. The
/// entry of a document counts while
///
/// - its files in the exchange folder have the inodes, sizes and times that they had;
/// - every published object of it is in a pack of the exchange folder: a loss by a syncing tool shows here.
///
/// Then nothing has arrived. Where its store, its folder of references, its one reference and its folder of packs are
/// as they were, too, and the document is where it was, there is nothing to send either. An entry says so only of files
/// that had been left alone for two seconds, because a file system’s clock may stand still for as long.
struct LastSyncedState {
  private let container: FilePath
  private let folder: ExchangeFolder
  private let stored: [Layout.StoredDocument]
  /// The container’s folder, and the one with the stores; nil where there is none.
  private let readers: (documents: FolderReader, stores: FolderReader)?
  /// The digest of the exchange folder's packs as they are now.
  private let packs: ContentDigest?
  private let bytes: [UInt8]
  private let entries: [[UInt8]: Entry]
  /// Whether the packs are those that there were when the file was written.
  private let isOfSamePacks: Bool
  /// The entries of the file when this exchange ends.
  private var kept: [Entry] = []
  private var new: [(entry: Entry, objects: [ObjectID])] = []
  /// Whether some of these may be whole only by packs that there were not when this exchange began.
  private var havePacksChanged = false
  /// Changes before this moment show, in nanoseconds since 1970.
  private let latest: Int64

  /// - Parameters:
  ///   - stored: the documents of the container.
  ///   - leastAge: how long files must have been left alone to be noted, in nanoseconds.
  ///   - clock: the clock that the files' times are compared with.
  init(
    of stored: [Layout.StoredDocument], in container: FilePath, with folder: ExchangeFolder,
    leastAge: Int64, clock: FileClock
  ) throws {
    self.container = container
    self.folder = folder
    self.stored = stored
    latest = clock.now &- leastAge
    let places = stored.isEmpty ? nil : (container, Layout.documents(of: container))
    readers = try places.map { (try FolderReader($0), try FolderReader($1)) }
    packs = Self.packs(of: folder)
    bytes = stored.isEmpty ? [] : Self.file(in: container).read(limit: Self.most) ?? []
    (entries, isOfSamePacks) = Self.entries(in: bytes, packs: packs)
  }

  // MARK: Reading

  /// The documents that have nothing to exchange now either, and the others.
  mutating func documents() -> (
    unchanged: [(document: Layout.StoredDocument, identifier: String)],
    others: [Layout.StoredDocument]
  ) {
    var unchanged: [(document: Layout.StoredDocument, identifier: String)] = []
    var others: [Layout.StoredDocument] = []
    for (document, isUnchanged) in zip(stored, areUnchanged()) {
      if isUnchanged, let entry = entries[document.store], isWhole(entry) {
        kept.append(entry)
        unchanged.append((document, entry.identifier))
      } else {
        others.append(document)
      }
    }
    return (unchanged, others)
  }

  /// Of which documents the files are as they were, here and in the exchange folder.
  private func areUnchanged() -> [Bool] {
    guard packs != nil, !entries.isEmpty, let readers else { return stored.map { _ in false } }
    let (stored, entries, (documents, stores)) = (stored, entries, readers)
    let published = Dictionary(
      entries.values.map { ($0.identifier, folder.state(of: $0.identifier)) },
      uniquingKeysWith: { $1 })
    return ForkJoin.mapRanges(of: stored.count, upTo: 50) { range in
      stored[range].map { document in
        guard let entry = entries[document.store], entry.isSettled,
          let state = published[entry.identifier] ?? nil, Published(state) == entry.published,
          documents.status(of: Array(document.path.utf8)) != nil
        else { return false }
        let head = HeadStamp(of: document.store, named: entry.state.head.name, in: stores)
        return StoreState(document.store, head, in: stores) == entry.state
      }
    }.flatMap { $0 }
  }

  /// A digest that distinguishes the packs of a folder from others; nil where one cannot be read, or is damaged.
  private static func packs(of folder: ExchangeFolder) -> ContentDigest? {
    do {
      return try folder.repository.packState().map { ContentDigest(of: $0) }
    } catch {
      // Reading a document from them reports the fault.
      return nil
    }
  }

  /// The recorded exchange of a document, if the exchange folder still has all that it had then, and at most versions
  /// that simply follow.
  func formerExchange(of document: Layout.StoredDocument) -> FormerExchange? {
    guard let entry = entries[document.store], isWhole(entry),
      let state = folder.state(of: entry.identifier)
    else { return nil }
    var former = FormerExchange(
      document: entry.identifier, record: entry.record, target: entry.target,
      objects: identifiers(entry.objects))
    if Published(state) == entry.published { return former }
    // All records that there were are among the objects.
    let known = Set(former.objects)
    guard let head = state.heads.versions.first, state.heads.versions.count == 1,
      state.contents.digest(where: known.contains) == entry.published.contents
    else { return nil }
    former.arrived = FormerExchange.Arrival(
      head: head, contents: state.contents.versions.filter { !known.contains($0) })
    return former
  }

  /// Whether the exchange folder still has what was published of a document.
  private func isWhole(_ entry: Entry) -> Bool {
    isOfSamePacks || packsHave(identifiers(entry.objects))
  }

  private func packsHave(_ objects: [ObjectID]) -> Bool {
    do {
      return try folder.repository.packsHave(objects)
    } catch {
      return false
    }
  }

  private func identifiers(_ range: Range<Int>) -> [ObjectID] {
    bytes.withUnsafeBytes { bytes in
      stride(from: range.lowerBound, to: range.upperBound, by: 20).map { bytes.identifier(at: $0) }
    }
  }

  /// The state of a document’s store before its exchange; nil where it has not exactly one head.
  func state(of document: Layout.StoredDocument) -> StoreState? {
    guard let stores = readers?.stores,
      case .single(let head) = HeadReading(document.store, in: stores)
    else { return nil }
    return StoreState(document.store, head, in: stores)
  }

  // MARK: Recording

  /// Records a document once this device and the folder have the same of it.
  ///
  /// - Parameters:
  ///   - state: the state of its store before.
  ///   - isChanged: whether something arrived.
  mutating func record(
    _ reader: StoreReader, in state: StoreState, isChanged: Bool, _ sending: Sending
  ) {
    // What was sent is in packs of its own: should these be lost, all others are as they were when this exchange began.
    if Self.packs(of: folder) != packs { havePacksChanged = true }
    guard sending.objects.count <= Self.mostObjects, let head = restingHead(of: reader),
      let published = published(of: reader.documentIdentifier.description, after: sending),
      published.heads.versions == [head.record.id],
      !folder.isDamaged(reader.documentIdentifier.description),
      packsHave(sending.objects)
    else { return }
    let entry = Entry(
      state: state,
      isSettled: !isChanged && sending.count == 0
        && max(state.changed, published.changed) < latest,
      published: Published(published), identifier: reader.documentIdentifier.description,
      record: head.record.id, target: head.target)
    new.append((entry, sending.objects))
  }

  private func restingHead(of reader: StoreReader) -> Head? {
    do { return try reader.restingHead } catch { return nil }
  }

  /// The files of a document once something was sent, where nothing else has come meanwhile.
  private func published(of document: String, after sending: Sending) -> PublishedFiles.State? {
    guard let before = folder.state(of: document) else { return nil }
    if sending.count == 0 { return before }
    do {
      let after = try folder.files.readState(of: document)
      let former = Set(before.contents.versions)
      return after.flatMap { after in
        Set(after.contents.versions) == former.union(sending.contents)
          && after.contents.digest(where: former.contains) == before.contents.digest() ? after : nil
      }
    } catch {
      return nil
    }
  }

  /// Writes the file again where there are new entries, or entries that do not count any more.
  ///
  /// The digest of the packs is recorded only where every entry is whole by these packs; otherwise the next exchange
  /// checks each object.
  func write() {
    let isSame = isOfSamePacks && new.isEmpty && kept.count == entries.count
    guard let packs, !isSame, !(kept.isEmpty && new.isEmpty && entries.isEmpty) else { return }
    let recorded = havePacksChanged ? Self.changedPacks : packs
    let objects = kept.map { identifiers($0.objects) } + new.map(\.objects)
    do {
      try Self.file(in: container).write(reserving: objects.count * 256) { bytes in
        bytes.append(recorded)
        for (entry, objects) in zip(kept + new.map(\.entry), objects) {
          entry.append(to: &bytes, objects)
        }
      }
    } catch {
      // Without it the next exchange takes longer.
    }
  }

  // MARK: On disk

  /// Stands in the place of the packs' digest, and equals none.
  private static let changedPacks = ContentDigest(of: Array("changed".utf8))

  /// In bytes; and how many objects a document may have: of more, the file is not worth its size.
  private static let most = 256 << 20
  private static let mostObjects = 1 << 20

  private static func file(in container: FilePath) -> CacheFile {
    CacheFile(Layout.lastSyncedState(of: container), title: "docversions quiet exchanges 3")
  }

  /// The entries of a file by the paths of their stores, and whether they are of these packs.
  private static func entries(
    in bytes: [UInt8], packs: ContentDigest?
  ) -> (entries: [[UInt8]: Entry], isOfSamePacks: Bool) {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count >= 32 else { return ([:], false) }
      var entries: [[UInt8]: Entry] = [:]
      var place = 32
      while let entry = Entry(at: &place, in: bytes) { entries[entry.state.store] = entry }
      return (entries, bytes.digest(at: 0) == packs)
    }
  }
}
