internal import DocumentVersions

/// What versions changed against the ones that they were made from.
struct ChangeSummaries {
  enum Summary: Equatable {
    case known(String)
    case unknown
    /// The contents should be here, but cannot be read.
    case unreadable

    var text: String {
      if case .known(let text) = self { text } else { "" }
    }
  }

  /// Larger files are not compared: a log shall be quick.
  private static let limit = 1_000_000

  private let known: [FileVersion.PersistentIdentifier: FileVersion]
  private var loaded: [FileVersion.PersistentIdentifier: VersionContents] = [:]

  init(_ history: DocumentHistory) {
    known = Dictionary(
      history.versions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What a version changed.
  ///
  /// Asked for from new to old, every content is loaded once and then let go.
  mutating func summary(
    of version: FileVersion, load: (FileVersion) throws -> VersionContents
  ) -> Summary {
    defer { loaded[version.id] = nil }
    let before = version.parents.first.flatMap { known[$0] }
    // A version that was made from one that is gone cannot be compared.
    if !version.parents.isEmpty, before == nil { return .unknown }
    guard isComparable(version), before.map(isComparable) ?? true else { return .unknown }
    do {
      let old = try before.map { try contents(of: $0, load) }
      return .known(try text(from: old, to: try contents(of: version, load)))
    } catch let error as VersionError where error.code == .contentsNotLocal {
      return .unknown
    } catch {
      return .unreadable
    }
  }

  private func isComparable(_ version: FileVersion) -> Bool {
    let isSmall = version.isPackage || version.size <= Self.limit
    return !version.isDeletion && version.hasLocalContents && isSmall
  }

  private mutating func contents(
    of version: FileVersion, _ load: (FileVersion) throws -> VersionContents
  ) throws -> VersionContents {
    if let contents = loaded[version.id] { return contents }
    let contents = try load(version)
    loaded[version.id] = contents
    return contents
  }

  /// Lines of texts, members of packages; nothing where the two do not compare.
  private func text(from old: VersionContents?, to new: VersionContents) throws -> String {
    switch (old ?? new.empty, new) {
    case (.file(let old, _), .file(let new, _)):
      guard let old = TextContent(old), let new = TextContent(new) else { return "" }
      return LineCounts(try old.changes(to: new)).text
    case (.package(let old), .package(let new)):
      let (old, new) = (old.identities, new.identities)
      let counts = [
        ("+", new.keys.count { old[$0] == nil }), ("−", old.keys.count { new[$0] == nil }),
        ("~", new.count { old[$0.key] != nil && old[$0.key] != $0.value }),
      ].filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }
      return counts.isEmpty ? "" : counts.joined(separator: " ") + " members"
    default:
      return ""
    }
  }
}

extension VersionContents {
  /// The same kind of document with nothing in it.
  fileprivate var empty: VersionContents {
    switch self {
    case .file, .largeFile: .file([], isExecutable: false)
    case .package: .package([])
    case .deleted: .deleted
    }
  }
}

extension [PackageEntry] {
  /// What tells the members' contents apart, by path.
  fileprivate var identities: [[[UInt8]]: String] {
    Dictionary(map { ($0.path, $0.kind.identity) }, uniquingKeysWith: { first, _ in first })
  }
}

extension PackageEntry.Kind {
  fileprivate var identity: String {
    switch self {
    case .file(let identity, let isExecutable, _): "\(isExecutable) \(identity)"
    case .symbolicLink(let target): "link \(Printable.text(target))"
    case .folder: "folder"
    }
  }
}
