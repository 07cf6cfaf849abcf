internal import DocumentVersions
package import Foundation

/// The scenarios at a path and below it.
///
/// A folder with a file `scenario` is a scenario, and may have further ones below it. Contents that a scenario names
/// are not searched, so that a package may have a member called `scenario`.
package struct ScenarioSearch: Sendable {
  /// Each scenario, or the reason why it can't be read, in the order of their paths.
  package private(set) var found: [Result<Scenario, ScenarioError>] = []
  /// The failures of the search, including that no scenario was found.
  package private(set) var failures: [ScenarioError] = []
  /// The paths that scenarios name as contents.
  private var contents: Set<String> = []

  /// Searches for scenarios.
  ///
  /// - Parameter place: a scenario's folder, a folder above some, or the file `scenario` of one.
  package init(at place: URL) {
    do {
      // The named path may be a link; links below it aren't followed.
      let target = try place.resolvingSymlinksInPath().filePath
      guard let status = try FileStatus.of(target) else {
        failures = [Self.nothing(at: place, "There is no such file or folder.")]
        return
      }
      if status.kind == .folder {
        search(in: place)
      } else if place.lastPathComponent == Scenario.fileName {
        add(place.deletingLastPathComponent())
      }
    } catch {
      failures = [ScenarioError(unreadable: place, error)]
    }
    if found.isEmpty, failures.isEmpty {
      failures = [Self.nothing(at: place, "There is no scenario here.")]
    }
  }

  private static func nothing(at place: URL, _ message: String) -> ScenarioError {
    ScenarioError(code: .noScenario, file: place.relativePath, line: nil, message: message)
  }

  private mutating func search(in folder: URL) {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      if names.contains(Scenario.fileName), try !isFolder(folder.appending(path: Scenario.fileName))
      {
        // If the story can't be read, its contents can't be distinguished from scenarios.
        guard add(folder) else { return }
      }
      for name in names {
        let member = folder.appending(path: name)
        if try !contents.contains(member.path) && isFolder(member) { search(in: member) }
      }
    } catch {
      failures.append(ScenarioError(unreadable: folder, error))
    }
  }

  private func isFolder(_ url: URL) throws -> Bool {
    try FileStatus.of(url.filePath)?.kind == .folder
  }

  /// Reads a scenario.
  ///
  /// - Returns: whether the scenario can be read.
  @discardableResult
  private mutating func add(_ folder: URL) -> Bool {
    do {
      let scenario = try Scenario(folder: folder)
      contents.formUnion(scenario.contents.map { folder.appending(path: $0).path })
      found.append(.success(scenario))
      return true
    } catch let error as ScenarioError {
      found.append(.failure(error))
    } catch {
      found.append(
        .failure(ScenarioError(unreadable: folder.appending(path: Scenario.fileName), error)))
    }
    return false
  }
}
