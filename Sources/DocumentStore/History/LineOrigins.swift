internal import DocumentFiles
internal import DocumentGit
internal import DocumentMerge

/// A line of a version, and the version that added it.
public struct LineOrigin: Sendable {
  /// The line without its end.
  public let text: String
  /// The oldest version in the line's history that has it unchanged.
  public let version: FileVersion
  /// Whether the line may be older, because contents of the version's parents aren't on this device.
  public let mayBeEarlier: Bool
}

/// Finds the version that brought each line of a text: follows lines from a version to those that it was made from for as
/// long as they stay the same.
struct LineOrigins {
  /// Lines of the text that are asked about, and where they are in a version; by their place there.
  private typealias Lines = [(asked: Int, place: Int)]

  /// A version that is still to be looked at.
  private struct Pending {
    let version: FileVersion
    /// The member's path there; empty for the document itself.
    let member: [UInt8]
    var lines: Lines
  }

  private let sources: ComparedSources
  private var pending: [FileVersion.PersistentIdentifier: Pending] = [:]
  private var origins: [(version: FileVersion, mayBeEarlier: Bool)?] = []

  init(in sources: ComparedSources) {
    self.sources = sources
  }

  /// The origin of each line of a version.
  ///
  /// - Parameter member: the path in the package, as it is stored; empty for the document itself.
  mutating func origins(
    of text: TextContent, in version: FileVersion, member: [UInt8]
  ) throws -> [LineOrigin] {
    let lines = text.lines
    origins = Array(repeating: nil, count: lines.count)
    pending[version.id] = Pending(
      version: version, member: member, lines: lines.indices.map { ($0, $0) })
    // The newest first: all that was made from a version comes before it.
    while let next = pending.values.max(by: { $0.version.isEarlier(than: $1.version) }) {
      if sources.comparison.reader.environment.progress?.isCancelled == true {
        throw CancellationError()
      }
      pending[next.version.id] = nil
      try follow(next)
    }
    return zip(lines, origins).map { line, origin in
      LineOrigin(
        text: String(decoding: line.withoutLineEnd, as: UTF8.self),
        version: origin?.version ?? version, mayBeEarlier: origin?.mayBeEarlier ?? true)
    }
  }

  /// Passes lines on to the versions that have them, and records the others as brought by this version.
  private mutating func follow(_ next: Pending) throws {
    let (former, isCut) = try sources.sources(of: next.version, countsDeletions: false)
    var lines = next.lines
    for source in former where !lines.isEmpty {
      guard let (member, changes) = try changes(from: source, to: next),
        pending[source.id].map({ $0.member == member }) ?? true
      else { continue }
      var (passed, kept): (Lines, Lines) = ([], [])
      var (position, shift) = (0, 0)
      for line in lines {
        while position < changes.count, changes[position].new.upperBound <= line.place {
          shift = changes[position].old.upperBound - changes[position].new.upperBound
          position += 1
        }
        if position < changes.count, changes[position].new.contains(line.place) {
          kept.append(line)
        } else {
          passed.append((line.asked, line.place + shift))
        }
      }
      lines = kept
      guard !passed.isEmpty else { continue }
      if let known = pending[source.id] {
        passed = (known.lines + passed).sorted { $0.place < $1.place }
      }
      pending[source.id] = Pending(version: source, member: member, lines: passed)
    }
    for line in lines { origins[line.asked] = (next.version, isCut) }
  }

  /// The changes of the text since a former version, and where it was there; `nil` if it was not.
  private func changes(
    from source: FileVersion, to next: Pending
  ) throws -> (member: [UInt8], changes: [LineChange])? {
    let differences = try sources.comparison.differences(
      from: .version(source), to: .version(next.version))
    if let difference = differences.first(where: { $0.after?.path == next.member }) {
      guard let before = difference.before else { return nil }
      if difference.change.kind == .renamed, !difference.change.isContentChanged {
        return (before.path, [])
      }
      do {
        guard let texts = try sources.texts(of: difference) else { return nil }
        let part = DifferingPart(from: texts.old, to: texts.new)
        return (before.path, part.changes(from: texts.old, to: texts.new))
      } catch is ComparedSources.TooLarge {
        return nil
      }
    }
    // Whole folders that were renamed are one difference.
    let slash = UInt8(ascii: "/")
    for difference in differences where difference.change.kind == .renamed {
      guard let after = difference.after?.path, let before = difference.before?.path,
        next.member.starts(with: after + [slash])
      else { continue }
      return (before + next.member.dropFirst(after.count), [])
    }
    return (next.member, [])
  }
}

extension FileVersion {
  fileprivate func isEarlier(than other: FileVersion) -> Bool {
    (savingDate, id.description) < (other.savingDate, other.id.description)
  }
}

extension ArraySlice<UInt8> {
  /// A line without its line feed, and the carriage return before it.
  fileprivate var withoutLineEnd: ArraySlice<UInt8> {
    let line = last == UInt8(ascii: "\n") ? dropLast() : self
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}

extension StoreEnvironment {
  /// The origin of each line of a version.
  func lineOrigins(of version: FileVersion, member: String?) throws -> [LineOrigin] {
    let document = version.documentURL
    return try reading(document) { reader in
      let record = try reader.localRecord(version)
      let path = try member.map { try reader.contents.member($0, of: record).path } ?? []
      let sources = ComparedSources(reader, try VersionList(reader).history().versions)
      guard
        case .file(_, let contents) = try reader.contents.item(of: record, member: member),
        contents.size <= ComparedSources.limit, let text = TextContent(try contents.read())
      else {
        let name = member.map(Printable.text) ?? reader.location.printable
        throw VersionError(
          .invalidArgument, document: reader.location.printable,
          message: record.content?.isPackage == true && member == nil
            ? "“\(name)” is a package: name one of its members." : "“\(name)” isn’t a text.")
      }
      var origins = LineOrigins(in: sources)
      return try origins.origins(of: text, in: version, member: path)
    }
  }
}
