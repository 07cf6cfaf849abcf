internal import DocumentFiles
internal import DocumentGit
internal import DocumentMerge

/// A line of a version, and the version that added it.
public struct LineOrigin: Sendable {
  /// The line without its end.
  public let text: String
  /// The oldest version in the line's history that has it unchanged.
  public let version: FileVersion
  /// True if the line may be older, because contents of the version's parents aren't on this device.
  public let mayBeEarlier: Bool
}

/// A value of a structured version, and the version that added it.
public struct ValueOrigin: Sendable {
  /// The place of the value: a path such as `/colors/0/name`, or a cell such as `row 7, column price`.
  ///
  /// See ``MergePlace/path``.
  public let path: String
  /// The value as it is written.
  public let text: String
  /// The oldest version in the value's history that has it unchanged.
  public let version: FileVersion
  /// True if the value may be older, because contents of the version's parents aren't on this device.
  public let mayBeEarlier: Bool
}

/// Finds the version that added each part of a text, line by line or value by value.
///
/// It follows parts from a version to its parents for as long as they stay the same.
struct Origins {
  typealias Origin = (version: FileVersion, mayBeEarlier: Bool)

  /// Returns the places of a text's parts in a former text; `nil` for a part that the former text doesn't
  /// have.
  typealias Comparison = (_ former: [UInt8], _ text: [UInt8]) throws -> (_ place: Int) -> Int?

  /// The parts of the text to trace, with their places in a version, in the order of these places.
  private typealias Parts = [(asked: Int, place: Int)]

  /// A version that must still be read.
  private struct Pending {
    let version: FileVersion
    /// The member's path in the version; empty for the document itself.
    let member: [UInt8]
    var parts: Parts
  }

  private let sources: ComparedSources
  private let compare: Comparison
  private var pending: [FileVersion.PersistentIdentifier: Pending] = [:]
  private var origins: [Origin?] = []

  init(in sources: ComparedSources, comparing compare: @escaping Comparison) {
    self.sources = sources
    self.compare = compare
  }

  /// Returns the origin of each part of a version.
  ///
  /// - Parameters:
  ///   - count: the number of parts.
  ///   - member: the path in the package, as it is stored; empty for the document itself.
  mutating func origins(
    of count: Int, in version: FileVersion, member: [UInt8]
  ) throws -> [Origin] {
    origins = Array(repeating: nil, count: count)
    pending[version.id] = Pending(
      version: version, member: member, parts: (0..<count).map { ($0, $0) })
    // Newest first: all descendants of a version come before it.
    while let next = pending.values.max(by: { $0.version.isEarlier(than: $1.version) }) {
      try sources.comparison.reader.environment.progress?.checkCancellation()
      pending[next.version.id] = nil
      try follow(next)
    }
    return origins.map { $0 ?? (version, true) }
  }

  /// Passes parts on to the versions that have them, and records the others as added by this version.
  private mutating func follow(_ next: Pending) throws {
    let (former, isCut) = try sources.sources(of: next.version, countsDeletions: false)
    var parts = next.parts
    for source in former where !parts.isEmpty {
      guard let (member, formerPlace) = try places(in: source, of: next),
        pending[source.id].map({ $0.member == member }) ?? true
      else { continue }
      var (passed, kept): (Parts, Parts) = ([], [])
      for part in parts {
        if let place = formerPlace(part.place) {
          passed.append((part.asked, place))
        } else {
          kept.append(part)
        }
      }
      parts = kept
      guard !passed.isEmpty else { continue }
      pending[source.id] = Pending(
        version: source, member: member, parts: (pending[source.id]?.parts ?? []) + passed)
    }
    for part in parts { origins[part.asked] = (next.version, isCut) }
  }

  /// Returns the text's path in a former version, and the former places of its parts; `nil` if that version
  /// doesn't have the text.
  private func places(
    in source: FileVersion, of next: Pending
  ) throws -> (member: [UInt8], formerPlace: (Int) -> Int?)? {
    let differences = try sources.comparison.differences(
      from: .version(source), to: .version(next.version))
    if let difference = differences.first(where: { $0.after?.path == next.member }) {
      guard let before = difference.before else { return nil }
      if difference.change.kind == .renamed, !difference.change.isContentChanged {
        return (before.path, { $0 })
      }
      do {
        guard let texts = try sources.texts(of: difference) else { return nil }
        return (before.path, try compare(texts.old, texts.new))
      } catch is ComparedSources.TooLarge {
        return nil
      }
    }
    // A renamed folder is one difference.
    let slash = UInt8(ascii: "/")
    for difference in differences where difference.change.kind == .renamed {
      guard let after = difference.after?.path, let before = difference.before?.path,
        next.member.starts(with: after + [slash])
      else { continue }
      return (before + next.member.dropFirst(after.count), { $0 })
    }
    return (next.member, { $0 })
  }

  /// Compares texts line by line.
  static func lines(_ former: [UInt8], _ text: [UInt8]) -> (Int) -> Int? {
    let changes = DifferingPart(from: former, to: text).changes(from: former, to: text)
    return { place in
      // The first change that ends after the line.
      var (low, high) = (0, changes.count)
      while low < high {
        let middle = (low + high) / 2
        if changes[middle].new.upperBound <= place { low = middle + 1 } else { high = middle }
      }
      if low < changes.count, changes[low].new.contains(place) { return nil }
      guard low > 0 else { return place }
      return place + changes[low - 1].old.upperBound - changes[low - 1].new.upperBound
    }
  }
}

/// Compares texts value by value, and parses each text once for the adjacent versions.
private final class ValueComparison {
  private let fileName: String
  private var read: [(text: [UInt8], values: DocumentValues?)] = []

  init(fileName: String) { self.fileName = fileName }

  func values(of text: [UInt8]) throws -> DocumentValues? {
    if let known = read.first(where: { $0.text == text }) { return known.values }
    let values = try DocumentValues(text, fileName: fileName)
    read = read.suffix(3) + [(text, values)]
    return values
  }

  func compare(_ former: [UInt8], _ text: [UInt8]) throws -> (Int) -> Int? {
    guard let old = try values(of: former), let new = try values(of: text) else {
      return { _ in nil }
    }
    let places = new.places(in: old)
    return { places[$0] }
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
  /// Returns the origin of each line of a version.
  func lineOrigins(of version: FileVersion, member: String?) throws -> [LineOrigin] {
    try readingText(of: version, member: member) { text, _, sources, path in
      var search = Origins(in: sources, comparing: Origins.lines)
      let lines = text.lines
      let origins = try search.origins(of: lines.count, in: version, member: path)
      return zip(lines, origins).map { line, origin in
        LineOrigin(
          text: String(decoding: line.withoutLineEnd, as: UTF8.self), version: origin.version,
          mayBeEarlier: origin.mayBeEarlier)
      }
    }
  }

  /// Returns the origin of each value of a version.
  func valueOrigins(of version: FileVersion, member: String?) throws -> [ValueOrigin] {
    try readingText(of: version, member: member) { text, name, sources, path in
      let comparison = ValueComparison(fileName: name)
      // As in the comparison of versions, the last line also ends.
      let isEnded = text.bytes.last == UInt8(ascii: "\n")
      guard let values = try comparison.values(of: text.bytes + (isEnded ? [] : [10]))?.values
      else {
        throw VersionError(
          .invalidArgument, document: Printable.text(name),
          message:
            "“\(Printable.text(name))” isn’t a document of values, such as JSON, YAML or a table.")
      }
      var search = Origins(in: sources, comparing: comparison.compare)
      let origins = try search.origins(of: values.count, in: version, member: path)
      return zip(values, origins).map { value, origin in
        ValueOrigin(
          path: value.path, text: String(decoding: value.text, as: UTF8.self),
          version: origin.version, mayBeEarlier: origin.mayBeEarlier)
      }
    }
  }

  /// Reads the text of a version, its name, the versions that it may come from, and its path in the package.
  private func readingText<Result>(
    of version: FileVersion, member: String?,
    _ body: (TextContent, _ name: String, ComparedSources, _ path: [UInt8]) throws -> Result
  ) throws -> Result {
    try reading(version.documentURL) { reader in
      let record = try reader.localRecord(version)
      let path = try member.map { try reader.contents.member($0, of: record).path } ?? []
      let sources = ComparedSources(reader, try VersionList(reader).history().versions)
      let name = member ?? ContainerPath.name(of: record.facts.path)
      guard
        case .file(_, let contents) = try reader.contents.item(of: record, member: member),
        contents.size <= ComparedSources.limit, let text = TextContent(try contents.read())
      else {
        let shown = Printable.text(name)
        throw VersionError(
          .invalidArgument, document: reader.location.printable,
          message: record.content?.isPackage == true && member == nil
            ? "“\(shown)” is a package: name one of its members." : "“\(shown)” isn’t a text.")
      }
      return try body(text, name, sources, path)
    }
  }
}
