import DocumentScenarios
import DocumentTestSupport
import Foundation
import Testing

/// Which scenarios are found at a path.
@Suite(.blocks)
struct SearchTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Returns the paths of the items found below the scratch folder, with "!" before unreadable ones.
  private func found(_ path: String) -> [String] {
    ScenarioSearch(at: scratch[path]).found.map { found in
      let path =
        switch found {
        case .success(let scenario): scenario.folder.path
        case .failure(let error): "!" + error.file
        }
      return path.replacing(scratch.url.path + "/", with: "")
    }
  }

  private func failures(_ path: String) -> [ScenarioError.Code] {
    ScenarioSearch(at: scratch[path]).failures.map(\.code)
  }

  @Test func scenariosLieBelowOneAnother() throws {
    for folder in ["nest", "nest/a", "nest/a/b", "nest/c/d"] {
      try scratch.write("devices mira", to: "\(folder)/scenario")
    }
    #expect(found("nest") == ["nest", "nest/a", "nest/a/b", "nest/c/d"])
    #expect(found("nest/a") == ["nest/a", "nest/a/b"])
    #expect(found("nest/c") == ["nest/c/d"])
    #expect(found("nest/a/scenario") == ["nest/a"])
  }

  @Test func contentsHoldNoScenarios() throws {
    try scratch.write(
      """
      devices mira
      mira saves Trip.notes from Base/
      mira cannot save Trip.notes from deep/Mira
      """, to: "story/scenario")
    for member in ["Base/scenario", "Base/pages/scenario", "deep/Mira/scenario"] {
      try scratch.write("This is no story.", to: "story/\(member)")
    }
    try scratch.write("devices tom", to: "story/deep/other/scenario")
    #expect(found("story") == ["story", "story/deep/other"])
    #expect(failures("story").isEmpty)
  }

  @Test func aFolderCalledScenarioIsNone() throws {
    try scratch.write("devices mira", to: "scenario/story/scenario")
    #expect(found("scenario") == ["scenario/story"])
  }

  @Test func whatCannotBeReadStopsNoOther() throws {
    try scratch.write("devices mira", to: "all/a/scenario")
    try scratch.write("devices mira\nmira sings", to: "all/b/scenario")
    try scratch.write("devices mira", to: "all/b/below/scenario")
    try scratch.write("devices mira", to: "all/c/scenario")
    _ = try Command.run("mkfifo", [scratch["fifo"].path])
    try FileManager.default.createDirectory(
      at: scratch["all/d"], withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: scratch["all/d/scenario"].path, withDestinationPath: "../../fifo")
    #expect(found("all") == ["all/a", "!all/b/scenario", "all/c", "!all/d/scenario"])
  }

  @Test func linksAreFollowedOnlyWhereTheyAreNamed() throws {
    try scratch.write("devices mira", to: "story/scenario")
    try scratch.write("", to: "other/note.txt")
    try FileManager.default.createSymbolicLink(
      atPath: scratch["other/link"].path, withDestinationPath: "../story")
    #expect(found("other/link") == ["other/link"])
    #expect(failures("other") == [.noScenario])
  }

  @Test(arguments: ["nowhere", "empty", "note.txt", "empty/scenario", "note.txt/scenario"])
  func thatThereIsNoneIsTold(path: String) throws {
    try scratch.write("", to: "note.txt")
    try FileManager.default.createDirectory(
      at: scratch["empty"], withIntermediateDirectories: false)
    #expect(found(path).isEmpty)
    #expect(failures(path) == [.noScenario])
  }
}
