internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// The handlers of the page's requests.
@MainActor
final class PageRoutes {
  let folder: PageFolder
  private let admission: Admission

  init(_ folder: PageFolder, admission: Admission) {
    self.folder = folder
    self.admission = admission
  }

  /// Answers any request; a failure becomes a sentence.
  func answer(_ request: PageRequest) async -> PageResponse {
    if let answer = admission.answer(to: request) { return answer }
    do {
      if request.method == .GET, let file = PageFile(path: request.path) {
        return PageResponse(file.bytes, type: file.type)
      }
      return try await request.method == .GET ? read(request) : change(request)
    } catch {
      return PageResponse(PageError(error))
    }
  }

  // MARK: Reading

  private func read(_ request: PageRequest) async throws -> PageResponse {
    switch request.path {
    case "/api/events": return events(of: request["document"])
    case "/api/text":
      return try PageResponse(json: TextFacts(await text(request["document"])))
    case "/api/history": return try await history(of: request["document"])
    case "/api/version":
      return try await contents(
        of: request["version"], of: request["document"], member: request["member"])
    case "/api/image":
      return try await image(
        of: request["version"], of: request["document"], member: request["member"])
    case "/api/members":
      return try await members(of: request["version"], of: request["document"])
    case "/api/part": return try part(of: request["document"], from: request["from"])
    case "/api/conflict": return try await conflict(of: request["document"])
    case "/api/search": return try await search(request["text"])
    default: throw PageError(.notFound, "There is no such page.")
    }
  }

  /// Returns the news about the list, and about the document that a window shows.
  private func events(of path: String) -> PageResponse {
    var shown: OpenDocument?
    var refusal: PageError?
    if !path.isEmpty {
      do { shown = try folder.document(path) } catch {
        refusal = PageError(error)
      }
    }
    var list = -1
    var facts: DocumentFacts?
    let feed = folder.addWindow(showing: shown) { [folder] in
      var news = ""
      do {
        if list != folder.listRevision {
          list = folder.listRevision
          news += try Self.event("list", ListFacts(folder))
        }
        if let refusal {
          news += try Self.event("refused", ["message": refusal.message])
        } else if let shown, facts != DocumentFacts(shown, in: folder) {
          facts = DocumentFacts(shown, in: folder)
          news += try Self.event("document", facts)
        }
      } catch {
        news += "event: failed\ndata: 0\n\n"
      }
      refusal = nil
      return news.isEmpty ? ":\n\n" : news
    }
    return PageResponse(feed)
  }

  private static func event(_ name: String, _ value: some Encodable) throws -> String {
    "event: \(name)\ndata: \(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))\n\n"
  }

  private func history(of path: String) async throws -> PageResponse {
    var versions: [FileVersion] = []
    do {
      versions = try await folder.store.history(of: folder.place(of: path), newest: 500).versions
    } catch let error as VersionError where error.code == .noVersions {
      // The document is new, so its history is empty.
    }
    return try PageResponse(json: versions.map(VersionFacts.init))
  }

  /// Returns a version of a document by its identifier in the history.
  private func version(_ identifier: String, of path: String) async throws -> FileVersion {
    let place = try folder.place(of: path)
    guard let identifier = FileVersion.PersistentIdentifier(identifier),
      let version = try await FileVersion.version(
        of: place, identifier: identifier, store: folder.store)
    else { throw PageError(.notFound, "There is no such version.") }
    return version
  }

  private func contents(
    of identifier: String, of path: String, member: String
  ) async throws -> PageResponse {
    if identifier.isEmpty {
      if let document = folder.shown(path), document.phase == .open, document.document.isText {
        return try PageResponse(json: ContentsFacts(Data(document.document.text.utf8)))
      }
      return try PageResponse(json: ContentsFacts(presentContents(of: path)))
    }
    let version = try await version(identifier, of: path)
    return try PageResponse(
      json: ContentsFacts(try await contents(of: version, member: member.isEmpty ? nil : member)))
  }

  /// The maximum number of bytes that are read at once.
  private static let mostBytes = 64 << 20

  private func contents(of version: FileVersion, member: String? = nil) async throws -> Data {
    var size = version.size
    if let member { size = try await version.members().first { $0.path == member }?.bytes ?? 0 }
    guard size <= Self.mostBytes else {
      throw PageError(.payloadTooLarge, "Contents of more than 64 MB are not compared here.")
    }
    return try await version.contents(ofMember: member)
  }

  private func presentContents(of path: String) throws -> Data {
    let place = try folder.place(of: path)
    guard folder.item(path)?.isPackage != true else {
      throw PageError(.unsupportedMediaType, "A package has no text.")
    }
    let file = try FileHandle(forReadingFrom: place)
    defer { file.closeFile() }
    let data = try file.read(upToCount: Self.mostBytes + 1) ?? Data()
    guard data.count <= Self.mostBytes else {
      throw PageError(.payloadTooLarge, "Contents of more than 64 MB are not compared here.")
    }
    return data
  }

  /// Returns a picture, which the browser decodes and doesn't execute.
  private func image(
    of identifier: String, of path: String, member: String
  ) async throws -> PageResponse {
    let types = [
      "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
      "webp": "image/webp",
    ]
    let name = member.isEmpty ? try folder.place(of: path).path : member
    guard let type = types[URL(filePath: name).pathExtension.lowercased()] else {
      throw PageError(.unsupportedMediaType, "That is no picture.")
    }
    let data =
      identifier.isEmpty
      ? try presentContents(of: path)
      : try await contents(
        of: version(identifier, of: path), member: member.isEmpty ? nil : member)
    var response = PageResponse(Array(data), type: type)
    response.headers = [("Content-Security-Policy", "default-src 'none'; sandbox")]
    return response
  }

  private func members(of identifier: String, of path: String) async throws -> PageResponse {
    try PageResponse(json: try await version(identifier, of: path).members())
  }

  /// Returns a part of a document that is too long to be edited.
  private func part(of path: String, from start: String) throws -> PageResponse {
    let file = try FileHandle(forReadingFrom: folder.place(of: path))
    defer { file.closeFile() }
    let size = try file.seekToEnd()
    try file.seek(toOffset: min(size, UInt64(start) ?? 0))
    let data = try file.read(upToCount: Self.partLength) ?? Data()
    return try PageResponse(
      json: PartFacts(
        from: Int(min(size, UInt64(start) ?? 0)), length: data.count, size: Int(size),
        text: String(decoding: data, as: UTF8.self)))
  }

  /// The number of bytes of a long document that are shown at once.
  private static let partLength = 256 << 10

  private struct PartFacts: Encodable {
    let from, length, size: Int
    let text: String
  }

  private func conflict(of path: String) async throws -> PageResponse {
    try PageResponse(
      json: try await ConflictFacts(currentConflict(of: path), answers: folder.answers(about: path))
    )
  }

  /// Returns the conflict of a document, which needn't be editable here.
  func currentConflict(of path: String) async throws -> Conflict {
    let place = try folder.place(of: path)
    guard let conflict = try await Conflict.of(place, store: folder.store) else {
      throw PageError(.notFound, "The document is in no conflict.")
    }
    return conflict
  }

  /// Returns the documents whose history contains a text, with the versions that added it.
  private func search(_ text: String) async throws -> PageResponse {
    struct Found: Encodable {
      let path: String
      let version: VersionFacts
      let line: String
    }
    struct All: Encodable {
      var found: [Found] = []
      /// The documents whose history can't be read.
      var unread: [String] = []
    }
    let pattern = try LinePattern.text(text)
    var all = All()
    for item in folder.items where all.found.count < 100 {
      let path = folder.path(of: item.id)
      do {
        let history = try await pattern.search(item.url, in: folder.store)
        all.found += history.changes.prefix(20).compactMap { change in
          (change.brought.first ?? change.removed.first).map {
            Found(
              path: path, version: VersionFacts(change.version), line: String($0.text.prefix(300)))
          }
        }
      } catch let error as VersionError where error.code == .noVersions {
        continue
      } catch {
        all.unread.append(path)
      }
    }
    return try PageResponse(json: all)
  }

  /// Returns the open document at a path.
  func text(_ path: String) async throws -> TextDocument {
    try await folder.document(path).opened()
  }
}
