internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Shows a folder's documents in the browser, by turning this process into the program of the page.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "open",
    abstract:
      "Show the documents of a folder in the browser: write, look at versions, resolve conflicts.",
    discussion: """
      Serves a page to the browsers of this machine, and to no one else: the address has a secret. Texts are saved while \
      you type, changes of other devices and programs appear, and nothing is overwritten. It ends with Ctrl-C, and by \
      itself when its last window has been closed for half a minute; what was edited is a version then.

        docversions open ~/Notes
        docversions open --no-browser --port 8080     (over ssh -L 8080:localhost:8080)
      """)

  @Argument(help: "The folder; by default the current one.")
  var folder: DocumentArgument?

  @Flag(name: .customLong("no-browser"), help: "Print the address and open no browser.")
  var isWithoutBrowser = false

  @Option(
    help: ArgumentHelp(
      "The port to listen at; by default the folder's own, or else a free one.",
      valueName: "number"))
  var port: Int?

  func validate() throws {
    guard (port ?? 0) >= 0, (port ?? 0) <= 65_535 else {
      throw ValidationError("--port is from 0 to 65535.")
    }
  }

  func run() throws {
    let folder = folder ?? .here
    guard folder.isFolder else {
      throw CommandFailure(
        .notFound, code: FileError.Code.notFound.rawValue,
        "There is no folder “\(folder.shown)”.", path: folder.path)
    }
    // Settings that the page's program would refuse are refused here.
    _ = try Settings.fromEnvironment()
    guard let program = Self.program else {
      throw CommandFailure(
        .notFound, code: "pageMissing",
        "The program docversions-page is missing: it belongs beside docversions, or on the PATH.")
    }
    var arguments = [program]
    if isWithoutBrowser { arguments.append("--no-browser") }
    if let port { arguments += ["--port", String(port)] }
    arguments += ["--", folder.url.path]
    try Self.become(arguments)
  }

  /// The path of the page's program: beside this one, else on the search path.
  private static var program: String? {
    let name = "docversions-page"
    let own = URL(filePath: TourCommand.program)
      .resolvingSymlinksInPath().deletingLastPathComponent()
    let folders =
      [own.path] + (Settings.variable("PATH") ?? "").split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }

  /// Continues as another program, which receives the signals.
  private static func become(_ arguments: [String]) throws {
    Signals.handBack()
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    execv(arguments[0], words)
    let reason = String(cString: strerror(errno))
    throw CommandFailure(
      .refused, code: FileError.Code.system.rawValue,
      "\(arguments[0]) can’t be started: \(reason).", path: arguments[0])
  }
}
