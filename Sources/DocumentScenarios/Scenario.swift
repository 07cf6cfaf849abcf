internal import DocumentVersions
package import Foundation

/// A story about documents on several devices, in steps: a folder with a file named `scenario`, and beside it the
/// contents that documents have in the story.
package struct Scenario: Sendable {
  /// The file in a scenario's folder with the story.
  package static let fileName = "scenario"

  /// The scenario's folder.
  package let folder: URL
  /// The folder's name after that of its parent, as in "conflicts/airplane-mode".
  package let name: String
  /// The first comment line.
  package let title: String
  /// The comment lines after the title and before the first step, joined.
  package let summary: String
  /// The steps, in the order in which they happen.
  package let steps: [ScenarioStep]
  /// The files and folders beside the story that it names.
  let contents: Set<String>

  /// Reads a scenario.
  ///
  /// - Parameter folder: the folder that holds the file `scenario`.
  /// - Throws: ``ScenarioError``, which names the line and the expected words.
  package init(folder: URL) throws {
    let file = folder.appending(path: Self.fileName)
    let text = try Self.text(of: file)
    var parser = ScenarioParser(file: file)
    steps = try parser.steps(in: text)
    contents = parser.files
    let opening = Self.openingComment(of: text)
    self.folder = folder
    name = Self.name(of: folder)
    title = opening.first ?? folder.lastPathComponent
    summary = opening.dropFirst().joined(separator: " ")
  }

  /// Returns the name of the scenario in a folder, even of an unreadable one.
  package static func name(of folder: URL) -> String {
    folder.standardizedFileURL.pathComponents.suffix(2).joined(separator: "/")
  }

  private static func text(of file: URL) throws -> String {
    let bytes: [UInt8]
    do {
      // A link is followed; its target must be a file.
      let target = try file.resolvingSymlinksInPath().filePath
      guard let found = try SmallFile.read(target) else {
        throw ScenarioError(
          code: .noScenario, file: file.deletingLastPathComponent().relativePath, line: nil,
          message: "There is no file “\(fileName)” in this folder.")
      }
      bytes = found
    } catch let error as FileError {
      throw ScenarioError(unreadable: file, error)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScenarioError(
        code: .syntax, file: file.relativePath, line: nil, message: "The file is not UTF-8 text.")
    }
    return text
  }

  private static func openingComment(of text: String) -> [String] {
    ScenarioParser.lines(of: text)
      .map { $0.trimmingBlanks() }
      .filter { !$0.isEmpty }
      .prefix { $0.hasPrefix("#") }
      .map { String($0.drop { $0 == "#" }.trimmingBlanks()) }
      .filter { !$0.isEmpty }
  }
}
