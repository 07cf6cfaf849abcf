internal import DocumentConflicts
internal import DocumentFiles
internal import DocumentMerge
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Compares the copies of one document with it, and computes the expected results of adopting them.
struct CopyReader {
  let store: SynchronousStore
  let engines: MergeEngines

  /// The minimum similarity for a copy with an ambiguous name, in percent.
  private static let leastSimilarity = 50

  /// A copy with its contents.
  private typealias Read = (copy: ConflictedCopy, contents: VersionContents?)

  /// Reads the copies of one document in order, leaving out files that only look like copies.
  func copies(_ found: [CopyScan.Found]) throws -> [ConflictedCopy] {
    guard let document = found.first?.document else { return [] }
    let url = URL(filePath: document.string)
    let history: DocumentHistory?
    let present: PresentContents?
    do {
      let onDisk = try presentContents(document)
      history = try store.hasVersions(url) ? store.history(of: url) : nil
      present = try onDisk ?? history.flatMap { try leftContents(of: $0, beside: found) }
    } catch let error where error.isOfOneFile {
      return found.map { refused($0, .unreadable(error)) }
    }
    guard let present else {
      return found.filter(\.isCertain).map { refused($0, .documentMissing) }
    }
    var group = Group(
      url: url, present: present, history: history,
      preview: ContentsPreview(
        path: document.lastComponent?.string ?? "", engines: engines,
        types: try store.types(for: url)))
    group.foreign =
      try history?.unresolvedConflicts.filter { version in
        try !found.contains { try isCopy($0, in: version) }
      } ?? []
    return try found.compactMap { file in
      try checkCancellation()
      do {
        return try copy(file, of: &group)
      } catch let error where error.isOfOneFile {
        return refused(file, .unreadable(error))
      }
    }
  }

  /// The state of the document while its copies are compared one after the other.
  private struct Group {
    let url: URL
    let present: PresentContents
    let history: DocumentHistory?
    let preview: ContentsPreview
    /// The document or its members after the previous copies.
    var merged: [[[UInt8]]?: VersionContents] = [:]
    var searches: [[[UInt8]]?: BaseSearch] = [:]
    /// The outlooks of the previous copies, by member and digest.
    var outlooks: [(member: [[UInt8]]?, digest: String, copy: ConflictedCopy)] = []
    /// The unresolved conflict versions that are none of the copies.
    var foreign: [FileVersion] = []
  }

  /// The contents of the document that the copies are beside.
  private struct PresentContents {
    let contents: VersionContents
    let isPackage: Bool
    let modified: Date
    /// The version with these contents if the document itself is missing.
    var version: FileVersion?
  }

  private func presentContents(_ document: FilePath) throws -> PresentContents? {
    guard let status = try FileStatus.of(document) else { return nil }
    guard [.file, .folder].contains(status.kind) else { return nil }
    let found = try store.contentsOnDisk(URL(filePath: document.string))
    return PresentContents(
      contents: found.contents, isPackage: found.isPackage, modified: found.modified)
  }

  /// Returns the current version's contents if a tool has renamed all sides of a conflict and no document is
  /// left.
  ///
  /// All sides derive from that version, or are older.
  private func leftContents(
    of history: DocumentHistory, beside found: [CopyScan.Found]
  ) throws -> PresentContents? {
    guard found.count(where: { $0.member == nil && $0.name.leavesNoDocument }) > 1,
      let current = history.current, !current.isDeletion, current.hasLocalContents,
      try FileStatus.of(history.document.filePath) == nil
    else { return nil }
    let contents = try store.readingVersions(of: history.document) {
      try $0.contents(of: current)
    }
    return PresentContents(
      contents: contents, isPackage: contents.isPackage, modified: current.modificationDate,
      version: current)
  }

  // MARK: One copy

  private func copy(_ file: CopyScan.Found, of group: inout Group) throws -> ConflictedCopy? {
    if let refusal = try refusal(of: file, beside: group) {
      // A folder or a link beside a file is a copy only if its name says so.
      return file.isCertain ? refused(file, refusal) : nil
    }
    let theirs = try store.contentsOnDisk(file.url)
    guard
      let current = try file.member.map({ try group.present.contents.member($0) })
        ?? group.present.contents
    else { return refused(file, .documentMissing) }
    var copy = ConflictedCopy(
      url: file.url, document: group.url, member: file.memberPath, name: file.name,
      modificationDate: theirs.modified, similarity: nil, base: nil, outlook: .nothingNew)
    copy.missing = group.present.version
    let compared = ComparedContent(theirs.contents)
    let isSame = try current.hasSameContents(as: theirs.contents)
    let comparedCurrent = isSame ? compared : ComparedContent(current)
    copy.similarity = isSame ? 100 : similarity(current, comparedCurrent, theirs.contents, compared)
    guard file.isCertain || copy.similarity ?? 0 >= Self.leastSimilarity else { return nil }
    if isSame {
      return asked(copy, file)
    }
    if let known = group.outlooks.first(where: {
      $0.member == file.member && $0.digest == theirs.digest
    }) {
      (copy.base, copy.outlook) = (known.copy.base, known.copy.outlook)
      return copy
    }
    copy = try read(copy, file, theirs, compared, comparedCurrent, current, &group)
    copy = asked(copy, file)
    group.outlooks.append((file.member, theirs.digest, copy))
    return copy
  }

  /// Leaves the decision about a copy whose name may belong to another document to a person, unless the
  /// caller named the file.
  private func asked(_ copy: ConflictedCopy, _ file: CopyScan.Found) -> ConflictedCopy {
    guard !file.isCertain, !file.isNamed else { return copy }
    var copy = copy
    let questions: [MergeDecision] = if case .asks(_, let left) = copy.outlook { left } else { [] }
    copy.outlook = .asks(.ambiguousName, questions)
    return copy
  }

  /// Finds the base of a copy with new contents, and merges it.
  private func read(
    _ copy: ConflictedCopy, _ file: CopyScan.Found, _ theirs: ContentsOnDisk,
    _ compared: ComparedContent?, _ comparedCurrent: ComparedContent?, _ current: VersionContents,
    _ group: inout Group
  ) throws -> ConflictedCopy {
    var copy = copy
    let search = try search(for: file, in: &group)
    let known = try knownVersion(with: theirs, file, search, in: group)
    if let known, known.isResolved {
      return try copyOfVersion(known, copy, file, theirs, current, group)
    }
    if !group.foreign.isEmpty {
      copy.outlook = .asks(.documentInConflict, [])
      return copy
    }
    if [current, theirs.contents].contains(where: \.isLarge) {
      copy.outlook = .asks(.tooLarge, [])
      return copy
    }
    let base = try compared.flatMap { try search.base(of: $0, modified: theirs.modified) }
    copy.base = base?.base
    let former = try base.flatMap { try documentBase(beside: copy, madeFrom: $0.base, in: group) }
    copy.documentBase = former?.version
    let ours = group.merged[file.member] ?? current
    let name = file.member?.last.map { String(decoding: $0, as: UTF8.self) }
    let preview =
      try name.map {
        ContentsPreview(path: $0, engines: engines, types: try store.types(for: group.url))
      }
      ?? group.preview
    let result = try preview.merge(
      base: former?.contents ?? base?.contents, ours: ours, theirs: theirs.contents,
      labels: MergeLabels(ours: "the document", theirs: "the copy"))
    if base != nil {
      guard result.questions.isEmpty else {
        copy.outlook = .asks(.contradiction, result.questions)
        return copy
      }
      copy.outlook = .merges(result.decisions)
      group.merged[file.member] = result.contents
    } else if let compared, let comparedCurrent, let more = compared.surplus(over: comparedCurrent)
    {
      copy.outlook = .asks(.containsDocument(more: more), result.questions)
    } else if let compared, let comparedCurrent, let more = comparedCurrent.surplus(over: compared)
    {
      copy.outlook = .asks(.isContained(more: more), result.questions)
    } else {
      copy.outlook = .asks(.unknownBase, result.questions)
    }
    return copy
  }

  // MARK: Another device’s contents in the document’s place

  /// Returns the expected result for a copy with the contents of a version.
  ///
  /// A tool keeps one of two edits under the document's name, and the other one as a copy. If the copy is
  /// already a version, the document's new contents needn't follow it: both follow an earlier version.
  private func copyOfVersion(
    _ version: FileVersion, _ copy: ConflictedCopy, _ file: CopyScan.Found,
    _ theirs: ContentsOnDisk, _ current: VersionContents, _ group: Group
  ) throws -> ConflictedCopy {
    guard let history = group.history, let search = group.searches[file.member] else { return copy }
    var copy = copy
    let isCurrent =
      file.member == nil && version == history.current && history.shown == version
      && group.foreign.isEmpty
    switch try search.origin(after: version, of: current, modified: group.present.modified) {
    case .version: return copy
    case .before(let base, let contents) where isCurrent:
      return try merged(copy, theirs, current, on: base, contents, group)
    case .unknown where isCurrent:
      if version.kind == .save, version.parents.count == 1,
        let base = history.versions.first(where: { $0.id == version.parents[0] }),
        base.hasLocalContents, ![current, theirs.contents].contains(where: \.isLarge)
      {
        let contents = try store.readingVersions(of: group.url) { try $0.contents(of: base) }
        return try merged(copy, theirs, current, on: base, contents, group)
      }
    case .before, .unknown: break
    }
    copy.isOvertaken = true
    copy.outlook = .asks(group.foreign.isEmpty ? .unknownBase : .documentInConflict, [])
    return copy
  }

  /// Merges the current version, whose contents a copy has, with contents that follow the previous version.
  private func merged(
    _ copy: ConflictedCopy, _ theirs: ContentsOnDisk, _ current: VersionContents,
    on base: FileVersion, _ contents: VersionContents, _ group: Group
  ) throws -> ConflictedCopy {
    var copy = copy
    let result = try group.preview.merge(
      base: contents, ours: current, theirs: theirs.contents,
      labels: MergeLabels(ours: "the document", theirs: "the copy"))
    copy.base = CopyBase(
      source: .version(base), date: base.modificationDate, evidence: 0, bytes: nil)
    copy.documentBase = base
    copy.outlook =
      result.questions.isEmpty
      ? .merges(result.decisions) : .asks(.contradiction, result.questions)
    return copy
  }

  /// Returns the version that the document derives from if the copy derives from the current one and the
  /// document doesn't.
  private func documentBase(
    beside copy: ConflictedCopy, madeFrom base: CopyBase, in group: Group
  ) throws -> (version: FileVersion, contents: VersionContents)? {
    guard copy.member == nil, group.foreign.isEmpty, let history = group.history,
      let version = history.current, history.shown == version, base.source == .version(version),
      let search = group.searches[nil],
      case .before(let origin, let contents) = try search.origin(
        after: version, of: group.present.contents, modified: group.present.modified)
    else { return nil }
    return (origin, contents)
  }

  /// Returns whether a version was imported from a copy that still exists, as after an adoption was undone.
  private func isCopy(_ file: CopyScan.Found, in version: FileVersion) throws -> Bool {
    guard version.hasLocalContents, file.kind == .file || file.kind == .folder else { return false }
    let copy: ContentsOnDisk
    do { copy = try store.contentsOnDisk(file.url) } catch is FileError { return false }
    let contents = try store.readingVersions(of: version.documentURL) {
      try $0.contents(of: version)
    }
    let own = try file.member.map { try contents.member($0) } ?? contents
    return try own?.hasSameContents(as: copy.contents) ?? false
  }

  private func search(for file: CopyScan.Found, in group: inout Group) throws -> BaseSearch {
    if let search = group.searches[file.member] { return search }
    let search = try BaseSearch(
      of: file.document, member: file.member, history: group.history, in: store)
    group.searches[file.member] = search
    return search
  }

  /// Returns the version with a copy's contents; `nil` if there is none.
  private func knownVersion(
    with copy: ContentsOnDisk, _ file: CopyScan.Found, _ search: BaseSearch, in group: Group
  ) throws -> FileVersion? {
    guard group.history != nil else { return nil }
    if file.member != nil { return try search.version(withMember: copy.contents) }
    let versions = try store.versions(of: group.url, withContentsOf: copy)
    return versions.first { !$0.isResolved } ?? versions.first
  }

  private func similarity(
    _ ours: VersionContents, _ comparedOurs: ComparedContent?, _ theirs: VersionContents,
    _ comparedTheirs: ComparedContent?
  ) -> Int? {
    if let comparedOurs, let comparedTheirs {
      return comparedOurs.print.similarity(to: comparedTheirs.print)
    }
    guard case .file(let ours, _) = ours, case .file(let theirs, _) = theirs else { return nil }
    return ContentPrint(ours).similarity(to: ContentPrint(theirs))
  }

  // MARK: Refusals

  private func refusal(
    of file: CopyScan.Found, beside group: Group
  ) throws -> AdoptionRefusal? {
    switch file.kind {
    case .other, .symbolicLink: return .isSpecial
    case .folder where file.member != nil || !group.present.isPackage: return .isFolder
    case .folder: break
    case .file where file.member == nil && group.present.isPackage: return .isFolder
    case .file: break
    }
    return try file.member == nil && store.hasStore(file.url) ? .hasVersions : nil
  }

  private func refused(
    _ file: CopyScan.Found, _ refusal: AdoptionRefusal
  ) -> ConflictedCopy {
    ConflictedCopy(
      url: file.url, document: URL(filePath: file.document.string), member: file.memberPath,
      name: file.name, modificationDate: nil, similarity: nil, base: nil,
      outlook: .refused(refusal))
  }

  private func checkCancellation() throws {
    if store.progress?.isCancelled == true { throw CancellationError() }
  }
}

extension CopyScan.Found {
  var url: URL { URL(filePath: path.string) }

  /// The path of the member, as text.
  var memberPath: String? {
    member.map { $0.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/") }
  }
}

extension Error {
  /// True if the error concerns one file or one store, so that others can still be read.
  var isOfOneFile: Bool { self is FileError || self is VersionError || self is MergeError }
}

extension VersionContents {
  fileprivate var isPackage: Bool {
    if case .package = self { true } else { false }
  }

  fileprivate var isLarge: Bool {
    if case .largeFile = self { true } else { false }
  }
}
