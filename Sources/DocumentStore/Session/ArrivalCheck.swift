internal import DocumentFiles
internal import DocumentGit
internal import DocumentMerge
internal import SystemPackage

/// Finds the version that contents are based on if other versions were written over the document in the
/// meantime.
///
/// Contents that show nothing of the arrivals come from a program that still had the former document. They
/// are saved as based on the former version, so that they revert no arrival. If the arrival is the other side of a
/// conflict, they could revert this side instead, so contents with parts of both follow the version in common, and
/// contents with nothing of this side follow what was on the disk.
struct ArrivalCheck {
  private let reader: StoreReader
  private let copy: any SavedCopy
  /// The objects of the contents by their ids; they are not stored yet.
  private let objects: [ObjectID: GitObject]

  private init(_ copy: any SavedCopy, in reader: StoreReader) {
    self.reader = reader
    self.copy = copy
    objects = Dictionary(copy.objects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The version that new contents on disk are based on.
  struct Origin {
    /// The version; `nil` for the first contents.
    let base: Record?
    /// The version that was written over the document, and that the contents ignore; usually nil.
    var missed: Record?
    /// True if the store has recorded arrivals, which a save of the contents removes.
    var hasArrivals = false

    /// Returns whether the contents from before the document was overwritten are in a version whose contents
    /// are on this device.
    func isKept(_ copy: WorkingCopy, in chain: ContentChain) throws -> Bool {
      guard missed != nil, let base, copy.content.isSame(as: base.content) else { return false }
      return try chain.content(of: base.id) != nil
    }

    /// Removes the recorded arrivals, once the document's contents are saved.
    func forgetArrivals(in store: FilePath) {
      if hasArrivals { tidyUp { try Arrivals.forget(in: store) } }
    }
  }

  /// Finds the version that contents on disk are based on.
  ///
  /// - Parameter base: the version that the document was last saved as or written from.
  static func origin(
    of copy: any SavedCopy, on base: Record?, in reader: StoreReader
  ) throws -> Origin {
    guard let base, !copy.content.hasBytes(of: base.content) else {
      return Origin(base: base)
    }
    let arrivals = try Arrivals(in: reader.location.store)
    let check = ArrivalCheck(copy, in: reader)
    if let arrived = try check.interrupted(arrivals.list.last, over: base) {
      return Origin(base: arrived, hasArrivals: true)
    }
    guard !arrivals.list.isEmpty, arrivals.edit != copy.content.digest,
      try arrivals.lead(to: base, in: reader.objects),
      let before = try check.version(before: arrivals.list)
    else { return Origin(base: base, hasArrivals: !arrivals.list.isEmpty) }
    // Contents that continue a head revert nothing.
    let isHead = try reader.heads.divergent().contains { $0.record.id == before.id }
    return Origin(base: before, missed: isHead ? nil : base, hasArrivals: true)
  }

  /// Returns the version of an arrival that is in the contents, although a crash kept the store from recording
  /// that it was written.
  ///
  /// - Parameter base: the version that the document showed last, as far as the store knows.
  private func interrupted(_ arrival: Arrivals.Arrival?, over base: Record) throws -> Record? {
    guard let arrival, arrival.before == base.id, arrival.after != base.id,
      try reader.objects.repository.contains(arrival.after)
    else { return nil }
    let after = try reader.record(arrival.after)
    if copy.content.hasBytes(of: after.content) { return after }
    return try traces(of: after, writtenOver: base)?.isMostlyShown == true ? after : nil
  }

  /// Returns the version that the contents are based on if others were written over it since; `nil` if they are
  /// based on the last of these.
  private func version(before arrivals: [Arrivals.Arrival]) throws -> Record? {
    // Contents that are no longer here can't be traced.
    let steps = try arrivals.filter {
      try reader.objects.repository.contains($0.before)
        && reader.objects.repository.contains($0.after)
    }.map { (before: try reader.record($0.before), after: try reader.record($0.after)) }
    if let same = steps.last(where: { copy.content.hasBytes(of: $0.before.content) }) {
      return same.before
    }
    guard let last = steps.last?.after else { return nil }
    var found = last
    // True as long as no version between the next one and the found one was ruled out.
    var isNext = true
    for before in steps.reversed().map(\.before) {
      guard let traces = try traces(of: found, writtenOver: before) else { continue }
      // What the contents lack may never have been in them, and what a version brings may have been in them before
      // that. So an earlier version may still be theirs; then they have nothing that was added since.
      guard !traces.isShown, isNext || traces.hasStalePart || !traces.hasNews else {
        isNext = false
        continue
      }
      let common = try found.id == last.id ? versionInCommon(before, found) : nil
      if let common, traces.hasNews { return common }
      let own = try common.flatMap { try self.traces(of: before, writtenOver: $0) }
      isNext = own?.isShown != false
      if isNext { found = before }
    }
    return found.id == last.id ? nil : found
  }

  /// Returns the version that two versions in conflict are based on; `nil` if one follows the other.
  ///
  /// Contents that have parts of both count as based on this version, so that they revert neither. Contents that
  /// have nothing of the former one aren't based on it.
  private func versionInCommon(_ before: Record, _ after: Record) throws -> Record? {
    guard try !reader.objects.isAncestor(before.id, of: after.id) else { return nil }
    return try reader.merging.mergeBases(of: [after.id], and: before.id).first?.first
  }

  /// Returns what the contents show of a version that was written over another one; `nil` if that can't be
  /// determined.
  private func traces(of after: Record, writtenOver before: Record) throws -> ChangeTraces? {
    guard let former = before.content, try reader.objects.repository.contains(former.tree) else {
      return nil
    }
    var traces = ChangeTraces()
    guard let content = after.content else {
      traces.addKept()
      traces.add(isShown: try !resembles(former))
      return traces
    }
    guard content.isPackage == former.isPackage, content.isPackage == copy.content.isPackage,
      try reader.objects.repository.contains(content.tree)
    else { return nil }
    if content.isPackage {
      // A program that writes a package back replaces only some members.
      traces.addKept()
      try add(to: &traces, folder(former.tree), folder(content.tree), folder(copy.content.tree))
      return traces.isEmpty ? nil : traces
    }
    let isCounted = try add(
      to: &traces, file(former.tree), file(content.tree), file(copy.content.tree))
    return isCounted ? traces : nil
  }

  // MARK: Members

  private typealias Members = [[UInt8]: ComparedMember]

  /// Returns the members of a folder by their names.
  private func folder(_ id: ObjectID) throws -> Members {
    let tree = try objects[id].map { try Tree(decoding: $0.bytes()) }
    return Dictionary(
      try (tree ?? reader.objects.repository.tree(id)).entries.map(ComparedMember.init)
        .map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the single file of a document that is a file.
  private func file(_ tree: ObjectID) throws -> ComparedMember? {
    try folder(tree).values.first
  }

  /// Counts the members of a package, because a program that still has a former member open writes only that
  /// member back.
  private func add(
    to traces: inout ChangeTraces, _ before: Members, _ after: Members, _ present: Members
  ) throws {
    for name in Set(before.keys).union(after.keys) {
      let (old, new, own) = (before[name], after[name], present[name])
      guard old?.item != new?.item else { continue }
      if own?.item == new?.item {
        traces.add(isShown: true, isNews: own != nil)
      } else if own?.item == old?.item {
        traces.add(isShown: false)
        if own != nil { traces.addStalePart() }
      } else if [old, new, own].allSatisfy({ $0?.isFolder != false }) {
        try add(to: &traces, members(of: old), members(of: new), members(of: own))
      } else {
        var places = ChangeTraces()
        // Bytes without places show nothing.
        guard try add(to: &places, old, new, own) else { continue }
        traces.add(isShown: places.isShown, isNews: places.hasNews)
        if !places.isShown { traces.addStalePart() }
      }
    }
  }

  private func members(of folder: ComparedMember?) throws -> Members {
    try folder.map { try self.folder($0.id) } ?? [:]
  }

  /// Counts the places of a file.
  ///
  /// - Returns: false if its bytes have no places.
  private func add(
    to traces: inout ChangeTraces, _ before: ComparedMember?, _ after: ComparedMember?,
    _ present: ComparedMember?
  ) throws -> Bool {
    guard let after, let present, let old = try before.map(text) ?? [],
      let new = try text(after), let own = try text(present)
    else { return false }
    return traces.add(from: old, to: new, in: own)
  }

  /// Returns the bytes of a file; `nil` for another kind of item, and for a large file.
  private func text(_ member: ComparedMember) throws -> [UInt8]? {
    guard member.isFile, !member.isChunked else { return nil }
    return try objects[member.id]?.bytes()
      ?? reader.objects.repository.read(member.id, as: .blob, upTo: ChunkedFile.threshold)
  }

  // MARK: Deletions

  /// Returns whether the contents include at least half of a version that was deleted since: half of its
  /// files, or of the lines of its text.
  private func resembles(_ former: DocumentContent) throws -> Bool {
    guard former.isPackage == copy.content.isPackage else { return false }
    if former.isPackage {
      let old = try folder(former.tree)
      let own = try folder(copy.content.tree)
      return old.values.count { own[$0.name]?.item == $0.item } * 2 >= max(1, old.count)
    }
    guard let old = try file(former.tree).flatMap(text),
      let own = try file(copy.content.tree).flatMap(text)
    else { return false }
    let feed = UInt8(ascii: "\n")
    let (lines, ownLines) = (Set(old.split(separator: feed)), Set(own.split(separator: feed)))
    return lines.intersection(ownLines).count * 2 >= max(1, lines.count)
  }
}

extension DocumentContent {
  /// Returns whether both contents have the same bytes; the permission to run doesn't count, because the
  /// person sets it.
  fileprivate func hasBytes(of other: DocumentContent?) -> Bool {
    guard let other else { return false }
    return digest == other.digest && isPackage == other.isPackage
  }
}

extension ComparedMember {
  /// The parts that a change of the item changes; the permission to run doesn't count.
  fileprivate var item: Key {
    Key(id: id, mode: mode == .executable ? .file : mode, isChunked: isChunked)
  }
}
