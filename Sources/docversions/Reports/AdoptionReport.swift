internal import DocumentVersions
internal import Foundation

/// Conflicted copies, and the results of adopting them: `{"copies", "documents", "synced"}`.
///
/// | key of a copy | value |
/// | --- | --- |
/// | `copy`, `document`, `member` | the paths of the copy and of the document; the member’s in the package, or null |
/// | `tools` | the tools whose marks the name has, the outermost first |
/// | `author`, `device`, `date` | from the name; else “unknown”, or null for a date |
/// | `alike` | the common share, in percent of the larger one, or null |
/// | `base` | `{"date", "evidence", "source", "where"}`, where source is version, file or commit; or null |
/// | `outlook` | nothing-new, merges, asks or refused |
/// | `reason` | the reason why it asks or is refused, or null |
/// | `questions` | the questions that a merge leaves |
/// | `taken`, `removed`, `version` | the results; null in a list |
struct AdoptionReport: Encodable {
  /// A copy.
  struct Copy: Encodable {
    private enum Key: CodingKey {
      case copy, document, member, tools, author, device, date, alike, base, outlook, reason
      case questions, taken, removed, version
    }

    let copy: ConflictedCopy
    /// The result; `nil` if the copy is only listed.
    let done: AdoptedDocument.Copy?

    init(_ copy: ConflictedCopy) {
      self.copy = copy
      done = nil
    }

    init(_ done: AdoptedDocument.Copy) {
      copy = done.copy
      self.done = done
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(copy.url.path, forKey: .copy)
      try container.encode(copy.document.path, forKey: .document)
      try container.encode(copy.member, forKey: .member)
      try container.encode(copy.name.tools.map(\.rawValue), forKey: .tools)
      try container.encode(copy.author, forKey: .author)
      try container.encode(copy.device, forKey: .device)
      try container.encode(copy.name.date.map(Timestamp.textInSeconds), forKey: .date)
      try container.encode(copy.similarity, forKey: .alike)
      try container.encode(copy.base.map(Base.init), forKey: .base)
      let (outlook, reason, questions) = copy.outlookReport
      try container.encode(outlook, forKey: .outlook)
      try container.encode(reason, forKey: .reason)
      try container.encode(questions, forKey: .questions)
      try container.encode(done?.isTaken, forKey: .taken)
      try container.encode(done?.isRemoved, forKey: .removed)
      try container.encode(done?.version.map(VersionReport.init), forKey: .version)
    }
  }

  /// The base of the copy and the document.
  struct Base: Encodable {
    private enum CodingKeys: String, CodingKey {
      case source, date, evidence
      case place = "where"
    }

    let source, place, date: String
    let evidence: Int

    init(_ base: CopyBase) {
      switch base.source {
      case .version(let version): (source, place) = ("version", version.id.description)
      case .file(let url): (source, place) = ("file", url.path)
      case .commit(let commit): (source, place) = ("commit", commit)
      }
      date = Timestamp.textInSeconds(base.date)
      evidence = base.evidence
    }
  }

  /// A document whose copies were adopted.
  struct Document: Encodable {
    let document: String
    @Nullable var version: VersionReport?
    let questions: [MergeDecision]
    @Nullable var failure: String?
  }

  /// A folder that a tool syncs.
  struct Synced: Encodable {
    let folder, tool: String
    let ignored: Bool
    @Nullable var ignoreFile: String?
    @Nullable var ignoreLine: String?
  }

  private enum CodingKeys: CodingKey {
    case copies, documents, synced
  }

  let copies: [Copy]
  let documents: [Document]
  let synced: [SyncedFolder]

  init(_ copies: [Copy], synced: [SyncedFolder]) {
    (self.copies, documents, self.synced) = (copies, [], synced)
  }

  init(_ adopted: [AdoptedDocument], synced: [SyncedFolder]) {
    copies = adopted.flatMap(\.copies).map { Copy($0) }
    documents = adopted.map { document in
      Document(
        document: document.document.path,
        version: document.resolution.map { VersionReport($0.version) },
        questions: document.questions,
        failure: document.failure.map { CommandFailure($0).message })
    }
    self.synced = synced
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(copies, forKey: .copies)
    try container.encode(documents, forKey: .documents)
    try container.encode(
      synced.map {
        Synced(
          folder: $0.folder.path, tool: $0.tool.rawValue, ignored: $0.isIgnored,
          ignoreFile: $0.ignoreFile?.path, ignoreLine: $0.ignoreLine)
      }, forKey: .synced)
  }
}

extension ConflictedCopy {
  fileprivate var outlookReport: (String, String?, [MergeDecision]) {
    switch outlook {
    case .nothingNew: ("nothing-new", nil, [])
    case .merges: ("merges", nil, [])
    case .asks(let question, let questions): ("asks", question.code, questions)
    case .refused(let refusal): ("refused", refusal.code, [])
    }
  }
}

extension AdoptionQuestion {
  fileprivate var code: String {
    switch self {
    case .contradiction: "contradiction"
    case .unknownBase: "unknown-base"
    case .containsDocument: "contains-document"
    case .isContained: "is-contained"
    case .ambiguousName: "ambiguous-name"
    case .documentInConflict: "document-in-conflict"
    case .tooLarge: "too-large"
    }
  }
}

extension AdoptionRefusal {
  fileprivate var code: String {
    switch self {
    case .documentMissing: "document-missing"
    case .hasVersions: "has-versions"
    case .isFolder: "is-folder"
    case .isSpecial: "is-special"
    case .unreadable: "unreadable"
    }
  }
}

/// An adoption that was undone: `{"changed", "copies", "documents", "failures"}`, paths all of them.
struct UndoneAdoptionReport: Encodable {
  let documents, copies, changed, failures: [String]

  init(_ undone: UndoneAdoption) {
    documents = undone.documents.map(\.path)
    copies = undone.copies.map(\.path)
    changed = undone.changed.map(\.path)
    failures = undone.failures.map(\.copy.path)
  }
}
