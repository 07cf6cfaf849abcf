internal import DocumentVersions
internal import Foundation

/// The user's settings for merging files: programs that merge them, and fields that programs write.
///
/// ```json
/// {
///   "programs": [{"files": "*.drawio", "run": ["drawio-merge", "%O", "%A", "%B"], "seconds": 30, "megabytes": 2048}],
///   "fields": [{"files": "*.json", "newer": ["lastOpened"], "asked": ["modified"]}]
/// }
/// ```
///
/// The file is `docversions/merge.json` in `$XDG_CONFIG_HOME`, else in `~/.config`. Nothing in a folder of documents can
/// name a program.
struct MergeSettings: Decodable {
  /// One program, and the files that it merges.
  struct Program: Decodable {
    let files: String
    let run: [String]
    let seconds: Double?
    let megabytes: Int?
  }

  /// Fields of some files: those whose newer or higher value is taken, and known fields of that kind that
  /// become questions anyway.
  struct Fields: Decodable {
    let files: String
    let newer: [String]?
    let asked: [String]?
  }

  let programs: [Program]?
  let fields: [Fields]?

  /// Returns the engines with the user's settings.
  static func engines() throws -> MergeEngines {
    var engines = MergeEngines()
    guard let settings = try read() else { return engines }
    for entry in settings.fields ?? [] {
      engines.use(
        RevisedFields(newer: Set(entry.newer ?? []), asked: Set(entry.asked ?? [])),
        for: entry.files)
    }
    for entry in settings.programs ?? [] {
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

  /// Reads the settings; `nil` if there are none.
  private static func read() throws -> MergeSettings? {
    let settings =
      Settings.variable("XDG_CONFIG_HOME") ?? Settings.variable("HOME").map { $0 + "/.config" }
    guard let settings else { return nil }
    let file = URL(filePath: settings).appending(path: "docversions/merge.json")
    guard file.isThere else { return nil }
    let bytes = Data(try PlainFile.read(file))
    func failure(_ what: String) -> CommandFailure {
      CommandFailure(
        .usage, code: "settings", "The settings in \(Printable.text(file.path)) \(what).",
        hint:
          #"They look like {"programs": [{"files": "*.drawio", "run": ["drawio-merge", "%O", "%A", "%B"]}]}."#,
        path: file.path)
    }
    let read: MergeSettings
    do {
      read = try JSONDecoder().decode(MergeSettings.self, from: bytes)
    } catch {
      throw failure("can’t be read")
    }
    for entry in read.fields ?? [] {
      guard !entry.files.isEmpty, entry.newer != nil || entry.asked != nil else {
        throw failure("name no fields or no files")
      }
    }
    for entry in read.programs ?? [] {
      guard !entry.run.isEmpty, !entry.files.isEmpty else {
        throw failure("name no program or no files")
      }
      guard entry.seconds ?? 1 > 0, entry.seconds ?? 1 < 1e6, entry.megabytes ?? 1 > 0,
        entry.megabytes ?? 1 < 1 << 40
      else { throw failure("have a limit that is none") }
    }
    return read
  }
}
