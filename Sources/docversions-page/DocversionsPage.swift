internal import ArgumentParser
internal import DocumentPage
internal import DocumentVersions
internal import Foundation

/// The program behind `docversions open`.
@main
struct DocversionsPage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docversions-page",
    abstract: "Show the documents of a folder in the browser.",
    discussion: "This is the program behind `docversions open`; it takes the same options.")

  @Flag(name: .customLong("no-browser"), help: "Show the address, and open no browser.")
  var isWithoutBrowser = false

  @Option(
    help: ArgumentHelp(
      "The port to listen at; by default the folder's own, or else a free one.",
      valueName: "number"))
  var port: Int?

  @Argument(help: ArgumentHelp("The folder; by default the current one.", valueName: "folder"))
  var folder = "."

  func validate() throws {
    guard (0...65_535).contains(port ?? 0) else {
      throw ValidationError("--port is from 0 to 65535.")
    }
  }

  @MainActor
  func run() async throws {
    let place = URL(filePath: folder)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw Self.failure("There is no folder “\(folder)”.", 3) }
    let page: DocumentPage
    do { page = try await self.page(of: place) } catch { throw Self.failure("\(error)", 4) }
    let work = Task { try await page.run() }
    let signals = Signals.forEach { work.cancel() }
    defer { signals?.cancel() }
    print("\(place.standardizedFileURL.lastPathComponent) is open at \(page.address)")
    print("Ctrl-C ends it; so does closing its last window.")
    fflush(nil)
    let browser = isWithoutBrowser ? nil : try Browser.open(page.address)
    defer { browser?.end() }
    do { try await work.value } catch { throw Self.failure("\(error)", 5) }
  }

  /// Returns the page at the requested port.
  ///
  /// The default port depends on the folder, because a browser keeps drafts and answers for each port, and
  /// finds them again.
  @MainActor
  private func page(of place: URL) async throws -> DocumentPage {
    if let port { return try await DocumentPage(of: place, port: port, store: store) }
    let name = "\(getuid()):\(place.resolvingSymlinksInPath().path)"
    // FNV-1a gives the same result in every process. These ports aren't assigned to any service.
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    do {
      return try await DocumentPage(of: place, port: 49152 + Int(hash % 16_384), store: store)
    } catch is DocumentPageError {
      return try await DocumentPage(of: place, port: 0, store: store)
    }
  }

  /// The store, with the author and device that the environment names.
  private var store: VersionStore {
    let environment = ProcessInfo.processInfo.environment
    var identity = Identity.system
    if let author = environment["DOCVERSIONS_AUTHOR"] { identity.author = author }
    if let device = environment["DOCVERSIONS_DEVICE"] { identity.device = device }
    return VersionStore(identity: identity)
  }

  /// Reports a failure, and returns docversions' exit code for it.
  private static func failure(_ sentence: String, _ code: Int32) -> ExitCode {
    FileHandle.standardError.write(Data("error: \(sentence)\n".utf8))
    return ExitCode(code)
  }
}
