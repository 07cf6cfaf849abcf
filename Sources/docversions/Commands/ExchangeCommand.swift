internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Exchanges versions with other devices through a folder.
struct ExchangeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "exchange",
    abstract: "Exchange versions with other devices, through a folder that all can reach.",
    discussion: """
      Any folder will do that a syncing tool, a network or a stick carries between devices; it is made on \
      first use, and serves one folder of documents. A syncing tool must carry that folder only, and never \
      .docversions.

      JSON: {"container", "documents": [{"document", "failure", "former", "received", "sent", \
      "unresolvedConflicts"}], "folder"}.
      """)

  @Argument(help: "The folder to exchange through.", completion: .directory)
  var folder: DocumentArgument

  @Argument(
    help: "The folder with the documents; by default the current one.", completion: .directory)
  var container: DocumentArgument?

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  func run() throws {
    guard !folder.looksLikeAddress || FileManager.default.fileExists(atPath: folder.path) else {
      throw Failure(
        .usage, code: VersionError.Code.invalidArgument.rawValue,
        "“\(folder.shown)” is the address of a repository; documents are exchanged through a folder.",
        hint:
          "Name a folder that a syncing tool, a network or a stick carries between the devices.",
        path: folder.shown)
    }
    let place = container?.url ?? URL(filePath: ".")
    let isNew = !FileManager.default.fileExists(atPath: folder.path)
    let documents = try identity.store().showingProgress(
      "Exchanging through", folder.shown, isJSON: options.isJSON
    ) { try $0.exchange(place, through: folder.url) }
    if options.isJSON {
      try Console.print(
        json: ExchangeJSON(
          container: place.absoluteURL.standardizedFileURL.path,
          folder: folder.url.absoluteURL.standardizedFileURL.path,
          documents: documents.map(ExchangeJSON.Document.init)))
    } else {
      if isNew, FileManager.default.fileExists(atPath: folder.path) {
        Console.print("Made a new folder for exchange: \(folder.shown)")
      }
      print(documents)
    }
    let failures = documents.compactMap { document in
      document.failure.map { Failure($0, in: DocumentArgument(document.document)) }
    }
    for failure in failures { failure.report(isJSON: options.isJSON) }
    if let first = failures.first { throw first.status }
  }

  /// Of more documents with nothing new only their number is told.
  private static let mostWithNothingNew = 10

  private func print(_ documents: [DocumentExchange]) {
    var table = Table()
    let quietCount = documents.count(where: \.hasNothingNew)
    let isShort = quietCount > Self.mostWithNothingNew
    for document in documents where !(isShort && document.hasNothingNew) {
      let conflicts = document.unresolvedConflicts
      let isQuiet = document.received + document.sent == 0
      // What was left out alone is told as a failure.
      if document.failure != nil, isQuiet { continue }
      table.rows.append([
        Table.Cell(DocumentArgument(document.document).shown, room: .yielding),
        Table.Cell(isQuiet ? "nothing new" : "\(document.received) received, \(document.sent) sent")
        {
          isQuiet ? $0.asQuiet : $0
        },
        Table.Cell(conflicts > 0 ? Wording.count(conflicts, "unresolved conflict") : "") {
          $0.asOpen
        },
      ])
    }
    for line in table.lines() { Console.print(line) }
    if isShort {
      Console.print("\(Wording.count(quietCount, "document")) with nothing new".asQuiet)
    }
    for document in documents {
      guard let former = document.formerDocument else { continue }
      let place = DocumentArgument(document.document)
      let isTaken = documents.contains { $0.document.path.hasBytes(of: former.path) }
      let name = DocumentArgument(former).shown
      Console.print(
        isTaken
          ? "Two documents were called \(name): this one is “\(place.shown)” now."
          : "\(name) is \(place.shown) now.")
    }
    if documents.isEmpty { Console.print("No documents to exchange.") }
    let open = documents.filter { $0.unresolvedConflicts > 0 }.map {
      DocumentArgument($0.document).word
    }
    if !open.isEmpty {
      Console.print(
        "Look at the conflicts:  ".asQuiet + "docversions conflicts \(open.joined(separator: " "))")
    }
  }
}

extension DocumentExchange {
  /// Whether there is nothing to tell of it.
  fileprivate var hasNothingNew: Bool {
    received + sent + unresolvedConflicts == 0 && failure == nil && formerDocument == nil
  }
}

extension DocumentArgument {
  /// Whether it looks like the address of a repository: `https://…`, `user@host:…`.
  fileprivate var looksLikeAddress: Bool {
    let start = path.prefix { $0 != "/" }
    guard let colon = start.firstIndex(of: ":") else { return false }
    let at: Character = "@"
    return path[colon...].hasPrefix("://") || start[..<colon].contains(at)
  }
}

/// `{"container", "documents", "folder"}`: both paths, and for each document its path, its former one where the exchange
/// moved it, or null, how many versions were received and sent, how many conflict versions are unresolved, and why it
/// was left out, or null.
private struct ExchangeJSON: Encodable {
  struct Document: Encodable {
    let document: String
    let received, sent, unresolvedConflicts: Int
    @Nullable var failure: String?
    @Nullable var former: String?

    init(_ exchange: DocumentExchange) {
      document = exchange.document.path
      former = exchange.formerDocument?.path
      received = exchange.received
      sent = exchange.sent
      unresolvedConflicts = exchange.unresolvedConflicts
      failure = exchange.failure.map { Failure($0).message }
    }
  }

  let container, folder: String
  let documents: [Document]
}
