import DocumentScenarios
import Foundation

/// The scenarios of the project.
enum Fixtures {
  static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().appending(path: "../../../Fixtures").standardizedFileURL

  /// The scenarios' folders, relative to ``folder``, so that test names are short.
  static let names = ScenarioSearch(at: folder).found.map { found in
    switch found {
    case .success(let scenario): scenario.name
    // Its test reports why it can't be read.
    case .failure(let error):
      Scenario.name(of: URL(filePath: error.file).deletingLastPathComponent())
    }
  }
}
