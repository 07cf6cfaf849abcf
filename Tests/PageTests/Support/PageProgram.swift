import DocumentTestSupport
import Foundation
import Testing

/// The built program of the page, running on a folder.
final class PageProgram {
  let address: String
  let program: RunningProgram

  /// True if the program can run as another user, which only root can do.
  static let canBeOtherUser =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  /// - Parameters:
  ///   - port: the port at which it listens; 0 for any free one.
  ///   - isOtherUser: whether it runs as a user who owns nothing.
  init(_ folder: URL, port: Int = 0, isOtherUser: Bool = false) throws {
    let user = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let command =
      (isOtherUser ? user : []) + [
        BuiltProgram.url(of: "docversions-page").path, "--no-browser", "--port", String(port),
        folder.path,
      ]
    let program = try RunningProgram(
      command[0], Array(command.dropFirst()),
      environment: ["DOCVERSIONS_AUTHOR": "Anna", "DOCVERSIONS_DEVICE": "laptop"])
    self.program = program
    try #require(try eventually { try program.output.contains("\n") || program.hasEnded })
    let words = try program.output.split(whereSeparator: \.isWhitespace)
    address = String(try #require(words.first { $0.hasPrefix("http://") }))
  }

  /// The port at which it listens.
  var port: Int { URL(string: address)?.port ?? 0 }

  /// Ends it as Ctrl-C does.
  func end() throws {
    program.signal(SIGINT)
    let result = try program.wait(atMost: .generous)
    #expect(result.exitCode == 0, "\(result.errorOutput)")
  }
}
