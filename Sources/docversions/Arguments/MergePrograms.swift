internal import DocumentVersions
internal import Foundation

/// The user's own programs for merging, from a file in their settings.
///
/// ```json
/// {"programs": [{"files": "*.drawio", "run": ["drawio-merge", "%O", "%A", "%B"], "seconds": 30, "megabytes": 2048}]}
/// ```
///
/// The file is `docversions/merge.json` in `$XDG_CONFIG_HOME`, else in `~/.config`. Nothing in a folder of documents can
/// name a program.
struct MergePrograms: Decodable {
  /// One program, and the files that it merges.
  struct Entry: Decodable {
    let files: String
    let run: [String]
    let seconds: Double?
    let megabytes: Int?
  }

  let programs: [Entry]

  /// The engines, with the user's programs put in.
  static func engines() throws -> MergeEngines {
    var engines = MergeEngines()
    for entry in try entries() {
      engines.use(for: entry.files) { fileName in
        ProgramMergeEngine(
          entry.run, fileName: fileName, temporaryFolder: FileManager.default.temporaryDirectory,
          timeLimit: .seconds(entry.seconds ?? 30),
          memoryLimit: (entry.megabytes ?? 2048).multipliedReportingOverflow(by: 1 << 20)
            .partialValue,
          environment: ProcessInfo.processInfo.environment)
      }
    }
    return engines
  }

  private static func entries() throws -> [Entry] {
    let settings =
      Settings.variable("XDG_CONFIG_HOME") ?? Settings.variable("HOME").map { $0 + "/.config" }
    guard let settings else { return [] }
    let file = URL(filePath: settings).appending(path: "docversions/merge.json")
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let bytes = Data(try PlainFile.read(file))
    func failure(_ what: String) -> CommandFailure {
      CommandFailure(
        .usage, code: "settings", "The settings in \(Printable.text(file.path)) \(what).",
        hint:
          #"They look like {"programs": [{"files": "*.drawio", "run": ["drawio-merge", "%O", "%A", "%B"]}]}."#,
        path: file.path)
    }
    let entries: [Entry]
    do {
      entries = try JSONDecoder().decode(MergePrograms.self, from: bytes).programs
    } catch {
      throw failure("can’t be read")
    }
    for entry in entries {
      guard !entry.run.isEmpty, !entry.files.isEmpty else {
        throw failure("name no program or no files")
      }
      guard entry.seconds ?? 1 > 0, entry.seconds ?? 1 < 1e6, entry.megabytes ?? 1 > 0,
        entry.megabytes ?? 1 < 1 << 40
      else { throw failure("have a limit that is none") }
    }
    return entries
  }
}
