import DocumentScenarios
import Foundation

/// The scenarios of the project.
enum Fixtures {
  static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().appending(path: "../../../Fixtures").standardizedFileURL

  /// The scenarios' folders, relative to ``folder``, so that test names are short.
  static let names = Scenario.folders(below: folder)
    .map { $0.pathComponents.suffix(2).joined(separator: "/") }
}
