internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The document as it is on disk now: its content, and the objects that would store it.
struct WorkingCopy {
  let facts: DocumentFacts
  let content: DocumentContent
  let objects: [GitObject]

  /// When the document was modified, in milliseconds since 1970.
  var modified: Int64 { facts.modified / 1_000_000 }

  /// Reads the document; nil when there is none.
  static func read(
    _ location: DocumentLocation, meter: ProgressMeter = ProgressMeter(nil)
  ) throws -> WorkingCopy? {
    guard try FileStatus.of(location.document) != nil else { return nil }
    return try read(
      location.document, named: ContainerPath.name(of: location.path), meter: meter)
  }

  /// Reads a document from any path, to be stored under a name.
  static func read(
    _ path: FilePath, named name: String, meter: ProgressMeter = ProgressMeter(nil)
  ) throws -> WorkingCopy {
    var (builder, node, facts) = try DocumentReader.read(
      path, expect: meter.expect, progress: meter.advance
    ) { ContentBuilder() }
    let content = try builder.content(of: node, named: Array(name.utf8))
    return WorkingCopy(facts: facts, content: content, objects: builder.objects)
  }

  /// Whether the document is still the one that was read.
  func isCurrent(at location: DocumentLocation) throws -> Bool {
    try isCurrent(at: location.document)
  }

  /// Whether the item at a path is still the one that was read.
  func isCurrent(at path: FilePath) throws -> Bool {
    try DocumentReader.facts(of: path).isSameContent(as: facts)
  }
}
