internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Demonstrates the program on real files: two devices, offline edits, conflicts, and every way to resolve
/// one.
struct TourCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "tour",
    abstract: "Watch two devices edit the same documents, and their conflicts being resolved.",
    discussion: """
      Makes a folder with two devices' documents and runs docversions on them, command by command, as you \
      would. The folder stays, so that you can explore it.
      """)

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Where to make the documents; a new or an empty folder.", valueName: "folder"),
    completion: .directory)
  var place: DocumentArgument?

  func run() throws {
    // The commands that it runs would refuse invalid settings.
    _ = try Settings.fromEnvironment()
    let folder = try emptyFolder()
    for (index, chapter) in Tour.chapters.enumerated() {
      Console.print("\(index + 1). \(chapter.title)".asHeading)
      for step in chapter.steps {
        switch step {
        case .say(let text): Console.print(text)
        case .write(let files, by: let person): try write(files, by: person, in: folder)
        case .run(let command, by: let person): try run(command, by: person, in: folder)
        }
      }
      Console.print()
    }
    sayWhereToLook(folder)
  }

  private func emptyFolder() throws -> URL {
    let manager = FileManager.default
    let name = "docversions-tour-\(UUID().uuidString.prefix(8))"
    let folder = (place?.url ?? manager.temporaryDirectory.appending(path: name)).absoluteURL
    if folder.isThere, !folder.isFolderNow {
      throw unsuitable(folder, "is not a folder", code: .wrongKind)
    }
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    guard try manager.contentsOfDirectory(atPath: folder.path).isEmpty else {
      throw unsuitable(folder, "holds other things", code: .exists)
    }
    for person in Tour.Person.allCases {
      // Each folder keeps its own versions, even if a folder above has some.
      try manager.createDirectory(
        at: folder.appending(path: person.folder).appending(path: ".docversions"),
        withIntermediateDirectories: true)
    }
    return folder
  }

  private func unsuitable(_ folder: URL, _ fault: String, code: FileError.Code) -> CommandFailure {
    CommandFailure(
      .refused, code: code.rawValue, "“\(Printable.text(folder.path))” \(fault).",
      hint: "Name a new or an empty folder:  docversions tour --in NEW", path: folder.path)
  }

  private func write(_ files: [Tour.File], by person: Tour.Person, in folder: URL) throws {
    Console.print("\(person.name) writes \(Wording.list(files.map(\.name))).")
    for file in files {
      let url = folder.appending(path: person.folder).appending(path: file.name)
      try Data(file.text.utf8).write(to: url)
    }
  }

  /// Runs this program, as the user would.
  private func run(_ command: Tour.Command, by person: Tour.Person, in folder: URL) throws {
    let words = (["docversions"] + command.arguments).map(ShellWord.quoted).joined(separator: " ")
    let answer = command.answer.map { "echo \(ShellWord.quoted($0)) | " } ?? ""
    Console.print("\(person.device)$ ".asPlace + answer + words)
    var child = ChildProcess(
      ["docversions"] + command.arguments,
      environment: ProcessInfo.processInfo.environment.merging(
        ["DOCVERSIONS_AUTHOR": person.name, "DOCVERSIONS_DEVICE": person.device]
      ) { $1 })
    // Nothing else runs here, so the child inherits it.
    guard FileManager.default.changeCurrentDirectoryPath(folder.appending(path: person.folder).path)
    else {
      throw CommandFailure(
        .internalError, code: "tour", "The tour ends here: a folder of it is gone.")
    }
    child.input = command.answer.map { Array("\($0)\n".utf8) } ?? []
    let code = ChildProcess.exitCode(of: try child.start(Self.program))
    guard code == command.exitCode else {
      throw CommandFailure(
        .internalError, code: "tour",
        "The tour ends here: “\(words)” exited with \(code.map(String.init) ?? "a signal").")
    }
  }

  /// The path of this program.
  static var program: String {
    #if os(Linux)
    "/proc/self/exe"
    #else
    Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
  }

  private func sayWhereToLook(_ folder: URL) {
    let mira = ShellWord.quoted(folder.appending(path: Tour.Person.mira.folder).path)
    let tom = ShellWord.quoted(folder.appending(path: Tour.Person.tom.folder).path)
    Console.print("Look around".asHeading)
    Console.print("Mira’s documents:  \(mira)")
    Console.print("Tom’s documents:   \(tom)")
    Console.print("  docversions log \(mira)/trip.md")
    Console.print("  docversions diff \(tom)/trip.md '~1'")
    Console.print(
      "  git --git-dir=\(mira)/.docversions/documents/trip.md.git log --graph --oneline main")
  }
}
