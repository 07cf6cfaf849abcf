import DocumentTestSupport
import Foundation
import Testing

/// The built program of the page, at work on a folder.
final class PageProgram {
  let address: String
  let program: RunningProgram

  init(_ folder: URL, port: Int = 0) throws {
    let program = try RunningProgram(
      BuiltProgram.url(of: "docversions-page").path,
      ["--no-browser", "--port", String(port), folder.path],
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
