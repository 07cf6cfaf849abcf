internal import DocumentVersions
internal import Foundation

/// The differences of two contents of a document, member by member.
///
/// A document that is a file is its own
/// only member, without a path.
struct DocumentDiff {
  /// How a member differs.
  enum Kind: String, Encodable {
    case added, removed, changed
  }

  /// A member that differs.
  struct Member {
    /// The path in the package; nil for the document itself.
    let path: String?
    let kind: Kind
    /// The lines that differ; nil for what is not text on both sides.
    let text: TextDiff?
    /// What else there is to say: binary, executable, a link.
    let remark: String?
  }

  let members: [Member]

  init(from old: VersionContents, to new: VersionContents) throws {
    if old.isLarge || new.isLarge {
      members = old.largeFile == new.largeFile ? [] : [Self.largeMember(from: old, to: new)]
      return
    }
    let (old, new) = (old.files, new.files)
    let paths = Set(old.keys).union(new.keys).sorted { $0.lexicographicallyPrecedes($1) }
    members = try paths.compactMap { path in
      try Self.member(path, from: old[path], to: new[path])
    }
  }

  /// What there is to say of contents that are too large to compare.
  private static func largeMember(
    from old: VersionContents, to new: VersionContents
  ) -> Member {
    func words(_ contents: VersionContents) -> String {
      switch contents {
      case .deleted: "nothing"
      case .package: "a package"
      case .file(let bytes, _): Wording.size(bytes.count)
      case .largeFile(let file): Wording.size(file.size)
      }
    }
    return Member(
      path: nil, kind: .changed, text: nil,
      remark: "is too large to compare: \(words(old)) before, \(words(new)) now")
  }

  private static func member(
    _ path: [UInt8], from old: PackageEntry.Kind?, to new: PackageEntry.Kind?
  ) throws -> Member? {
    let kind: Kind = old == nil ? .added : new == nil ? .removed : .changed
    let name = path.isEmpty ? nil : Printable.text(path)
    // Whole members that come or go are only named; the document itself is shown.
    guard kind == .changed || path.isEmpty else {
      return Member(path: name, kind: kind, text: nil, remark: nil)
    }
    switch (old, new) {
    case (.folder?, .folder?):
      return nil
    case (.symbolicLink(let old)?, .symbolicLink(let new)?):
      return old == new
        ? nil : Member(path: name, kind: kind, text: nil, remark: "leads to \(Printable.text(new))")
    case (.symbolicLink?, _), (_, .symbolicLink?), (.folder?, _), (_, .folder?):
      return Member(path: name, kind: kind, text: nil, remark: "is another kind of item")
    default:
      return try file(name, kind, from: old?.file, to: new?.file)
    }
  }

  private static func file(
    _ name: String?, _ kind: Kind, from old: PackageEntry.File?, to new: PackageEntry.File?
  ) throws -> Member? {
    var remark: String?
    if let old, let new, old.isExecutable != new.isExecutable {
      remark = new.isExecutable ? "became executable" : "is not executable any more"
    }
    let (before, after) = (try old?.read() ?? [], try new?.read() ?? [])
    guard before != after else {
      let isSame = remark == nil && kind == .changed
      return isSame ? nil : Member(path: name, kind: kind, text: nil, remark: remark ?? "is empty")
    }
    guard let before = TextContent(before), let after = TextContent(after) else {
      let words =
        "is not text: \(Wording.size(before.count)) before, \(Wording.size(after.count)) now"
      return Member(
        path: name, kind: kind, text: nil, remark: remark.map { "\(words), \($0)" } ?? words)
    }
    return Member(
      path: name, kind: kind, text: try TextDiff(from: before, to: after), remark: remark)
  }
}

extension VersionContents {
  fileprivate var largeFile: LargeFile? {
    if case .largeFile(let file) = self { file } else { nil }
  }

  fileprivate var isLarge: Bool { largeFile != nil }

  /// What there is, by path; a document that is a file has an empty one.
  fileprivate var files: [[UInt8]: PackageEntry.Kind] {
    switch self {
    case .deleted, .largeFile: [:]
    case .file(let bytes, let isExecutable):
      [[]: .file(identity: "", isExecutable: isExecutable, read: { bytes })]
    case .package(let entries):
      Dictionary(
        entries.map { (Array($0.path.joined(separator: [UInt8(ascii: "/")])), $0.kind) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}

extension PackageEntry {
  /// A file among the members.
  fileprivate typealias File = (isExecutable: Bool, read: @Sendable () throws -> [UInt8])
}

extension PackageEntry.Kind {
  fileprivate var file: PackageEntry.File? {
    guard case .file(_, let isExecutable, let read) = self else { return nil }
    return (isExecutable, read)
  }
}
