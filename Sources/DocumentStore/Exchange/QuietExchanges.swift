internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// Documents of a container that had nothing left to exchange when somebody looked: a file `quiet-exchanges`.
///
/// A cache, so that an exchange opens only what has changed, and looks only at what has followed. What is noted of a
/// document counts while
///
/// - the files with what is published of it have the inodes, sizes and times that they had;
/// - every object that is published of it is in a pack of the exchange folder: what a syncing tool loses shows here.
///
/// Then nothing has arrived. Where its store, its folder of references, its one reference and its folder of packs are
/// as they were, too, and the document is where it was, there is nothing to send either. That is noted only of what had
/// been left alone for two seconds, because a file system’s clock may stand still for as long.
struct QuietExchanges {
  private let container: FilePath
  private let folder: ExchangeFolder
  private let stored: [Layout.StoredDocument]
  /// The container’s folder, and the one with the stores; nil where there is none.
  private let glances: (documents: FolderReader, stores: FolderReader)?
  /// What tells that the packs of the exchange folder are as they are now.
  private let packs: ContentDigest?
  private let bytes: [UInt8]
  private let entries: [[UInt8]: Entry]
  /// Whether the packs are those that there were when the file was written.
  private let isOfSamePacks: Bool
  /// What the file shall say when this exchange ends.
  private var kept: [Entry] = []
  private var new: [(entry: Entry, objects: [ObjectID])] = []
  /// Whether some of these may be whole only by packs that there were not when this exchange began.
  private var havePacksChanged = false
  /// Changes before this moment show, in nanoseconds since 1970.
  private let latest: Int64

  /// - Parameters:
  ///   - stored: the documents of the container.
  ///   - leastAge: how long files must have been left alone to be noted, in nanoseconds.
  init(
    of stored: [Layout.StoredDocument], in container: FilePath, with folder: ExchangeFolder,
    leastAge: Int64
  ) throws {
    self.container = container
    self.folder = folder
    self.stored = stored
    latest = FileClock.system.now &- leastAge
    let places = stored.isEmpty ? nil : (container, Layout.documents(of: container))
    glances = try places.map { (try FolderReader($0), try FolderReader($1)) }
    packs = Self.packs(of: folder)
    bytes = stored.isEmpty ? [] : Self.file(in: container).read(limit: Self.most) ?? []
    (entries, isOfSamePacks) = Self.entries(in: bytes, packs: packs)
  }

  // MARK: Looking

  /// The documents that have nothing to exchange now either, and the others.
  mutating func documents() -> (
    unchanged: [(document: Layout.StoredDocument, identifier: String)],
    others: [Layout.StoredDocument]
  ) {
    var unchanged: [(document: Layout.StoredDocument, identifier: String)] = []
    var others: [Layout.StoredDocument] = []
    for (document, isUnchanged) in zip(stored, looksUnchanged()) {
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
  private func looksUnchanged() -> [Bool] {
    guard packs != nil, !entries.isEmpty, let glances else { return stored.map { _ in false } }
    let (stored, entries, (documents, stores)) = (stored, entries, glances)
    let published = Dictionary(
      entries.values.map { ($0.identifier, folder.look(at: $0.identifier)) },
      uniquingKeysWith: { $1 })
    return ForkJoin.mapRanges(of: stored.count, upTo: 50) { range in
      stored[range].map { document in
        guard let entry = entries[document.store], entry.isSettled,
          let look = published[entry.identifier] ?? nil, Published(look) == entry.published,
          documents.status(of: Array(document.path.utf8)) != nil
        else { return false }
        let head = HeadStamp(of: document.store, named: entry.look.head.name, in: stores)
        return StoreLook(document.store, head, in: stores) == entry.look
      }
    }.flatMap { $0 }
  }

  /// What tells the packs of a folder from others; nil where that cannot be told, or one is damaged.
  private static func packs(of folder: ExchangeFolder) -> ContentDigest? {
    do {
      return try folder.repository.packState().map { ContentDigest(of: $0) }
    } catch {
      // What is wrong with them, whoever reads a document from them is told.
      return nil
    }
  }

  /// The exchange that is noted of a document, if the exchange folder still has all that it had then, and at most what
  /// may simply follow it.
  func formerExchange(of document: Layout.StoredDocument) -> FormerExchange? {
    guard let entry = entries[document.store], isWhole(entry),
      let look = folder.look(at: entry.identifier)
    else { return nil }
    var former = FormerExchange(
      document: entry.identifier, record: entry.record, target: entry.target,
      objects: identifiers(entry.objects))
    if Published(look) == entry.published { return former }
    // All records that there were are among the objects.
    let known = Set(former.objects)
    guard let head = look.heads.versions.first, look.heads.versions.count == 1,
      look.contents.digest(where: known.contains) == entry.published.contents
    else { return nil }
    former.arrived = FormerExchange.Arrival(
      head: head, contents: look.contents.versions.filter { !known.contains($0) })
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

  /// What a document’s store looks like before its exchange; nil where that is not simple.
  func look(at document: Layout.StoredDocument) -> StoreLook? {
    guard let stores = glances?.stores,
      case .single(let head) = HeadReading(document.store, in: stores)
    else { return nil }
    return StoreLook(document.store, head, in: stores)
  }

  // MARK: Noting

  /// Notes a document once what is here is there, too, and all that is there is here.
  ///
  /// - Parameters:
  ///   - look: what its store looked like before.
  ///   - isChanged: whether something arrived.
  mutating func note(
    _ reader: StoreReader, lookingLike look: StoreLook, isChanged: Bool, _ sending: Sending
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
      look: look,
      isSettled: !isChanged && sending.count == 0
        && max(look.changed, published.changed) < latest,
      published: Published(published), identifier: reader.documentIdentifier.description,
      record: head.record.id, target: head.target)
    new.append((entry, sending.objects))
  }

  private func restingHead(of reader: StoreReader) -> Head? {
    do { return try reader.restingHead } catch { return nil }
  }

  /// The files of a document once something was sent, where nothing else has come meanwhile.
  private func published(of document: String, after sending: Sending) -> PublishedFiles.Look? {
    guard let before = folder.look(at: document) else { return nil }
    if sending.count == 0 { return before }
    do {
      let after = try folder.files.lookAgain(at: document)
      let former = Set(before.contents.versions)
      return after.flatMap { after in
        Set(after.contents.versions) == former.union(sending.contents)
          && after.contents.digest(where: former.contains) == before.contents.digest() ? after : nil
      }
    } catch {
      return nil
    }
  }

  /// Writes the file anew, where there is something new to say, or what it says of a document does not count any more.
  ///
  /// Which packs there are is noted only where every entry is whole by those; otherwise the next exchange asks for each
  /// object.
  func write() {
    let isSame = isOfSamePacks && new.isEmpty && kept.count == entries.count
    guard let packs, !isSame, !(kept.isEmpty && new.isEmpty && entries.isEmpty) else { return }
    let noted = havePacksChanged ? Self.changedPacks : packs
    let objects = kept.map { identifiers($0.objects) } + new.map(\.objects)
    do {
      try Self.file(in: container).write(reserving: objects.count * 256) { bytes in
        bytes.append(noted)
        for (entry, objects) in zip(kept + new.map(\.entry), objects) {
          entry.append(to: &bytes, objects)
        }
      }
    } catch {
      // Without it the next exchange takes longer.
    }
  }

  // MARK: On disk

  /// In the place of what tells packs from others: none are these.
  private static let changedPacks = ContentDigest(of: Array("changed".utf8))

  /// In bytes; and how many objects a document may have: of more, the file is not worth its size.
  private static let most = 256 << 20
  private static let mostObjects = 1 << 20

  private static func file(in container: FilePath) -> CacheFile {
    CacheFile(Layout.quietExchanges(of: container), title: "docversions quiet exchanges 3")
  }

  /// The entries of a file by the paths of their stores, and whether they are of these packs.
  private static func entries(
    in bytes: [UInt8], packs: ContentDigest?
  ) -> (entries: [[UInt8]: Entry], isOfSamePacks: Bool) {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count >= 32 else { return ([:], false) }
      var entries: [[UInt8]: Entry] = [:]
      var place = 32
      while let entry = Entry(at: &place, in: bytes) { entries[entry.look.store] = entry }
      return (entries, bytes.digest(at: 0) == packs)
    }
  }
}
