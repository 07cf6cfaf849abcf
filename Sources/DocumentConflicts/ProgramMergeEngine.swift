internal import DocumentFiles
package import DocumentMerge
internal import DocumentStore
package import Foundation

/// Merges with a program of the user, as git's merge drivers do: without a shell, within limits, and with only the
/// three files in a separate folder.
///
/// The program gets the files' paths as arguments, and writes the result to the file of ours (`%A`). Its exit code is 0
/// if no question is open, and 1 to 127 otherwise; any other code, or a signal, is an error. A clash that it leaves
/// concerns the whole document.
///
/// Programs come from the caller, never from a folder of documents, because others may be able to write there.
package struct ProgramMergeEngine: MergeEngine {
  /// The program and its arguments.
  ///
  /// `%O`, `%A` and `%B` stand for the paths of base, ours and theirs, `%P` for the document's name, `%S`, `%X` and
  /// `%Y` for the labels of base, ours and theirs, `%L` for the length of conflict markers, and `%%` for a percent sign. Base
  /// is an empty file if there is none.
  let arguments: [String]
  /// The document's name, or its path.
  let fileName: String
  /// The longest time it may take.
  let timeLimit: Duration
  /// The most memory each of its processes may use, in bytes, on Linux.
  ///
  /// `nil` for no limit.
  let memoryLimit: Int?
  /// The environment of the program.
  let environment: [String: String]
  /// The folder in which the engine creates its own folder.
  let temporaryFolder: URL

  /// Creates the engine.
  /// - Parameters:
  ///   - arguments: The program and its arguments; the program is a path, or a name to look up in the search path.
  ///   - fileName: The document's name, or its path.
  ///   - temporaryFolder: The folder in which the engine creates its own folder.
  ///   - timeLimit: The longest time it may take.
  ///   - memoryLimit: The most memory each of its processes may use, in bytes.
  ///   - environment: The environment of the program.
  package init(
    _ arguments: [String], fileName: String, temporaryFolder: URL,
    timeLimit: Duration = .seconds(30), memoryLimit: Int? = 2 << 30,
    environment: [String: String] = [:]
  ) {
    self.arguments = arguments
    self.fileName = fileName
    self.temporaryFolder = temporaryFolder
    self.timeLimit = timeLimit
    self.memoryLimit = memoryLimit
    self.environment = environment
  }

  /// The program's name.
  package var name: String {
    arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
  }

  /// Runs the program.
  /// - Parameters:
  ///   - sides: The document on both sides, and their base.
  ///   - options: The caller's options.
  /// - Returns: The program's result, and whether it left a question.
  /// - Throws: ``MergeError`` with `programFailed`, and the errors of writing and reading the files.
  package func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    let folder = temporaryFolder.appending(path: "docversions-merge-\(UUID().uuidString)")
    try Folder.create(folder.filePath, permissions: 0o700, isDurable: false)
    let result = Result { try merge(sides, options, in: folder) }
    try Folder.removeTree(folder.filePath)
    return try result.get()
  }

  private func merge(
    _ sides: MergeSides<[UInt8]>, _ options: MergeOptions, in folder: URL
  ) throws -> MergeOutcome {
    // Programs recognize files by their suffix.
    let last = URL(filePath: fileName).lastPathComponent
    let places = ["base", "ours", "theirs"].map {
      folder.appending(path: FileName.extending(last, before: "\($0)-"))
    }
    for (place, bytes) in zip(places, [sides.base ?? [], sides.ours, sides.theirs]) {
      try NewFile.write(bytes, to: place.filePath)
    }
    let labels = options.labels
    let values: [Unicode.Scalar: String] = [
      "O": places[0].path, "A": places[1].path, "B": places[2].path, "P": fileName, "L": "7",
      "S": labels.base, "X": labels.ours, "Y": labels.theirs, "%": "%",
    ]
    let run = ProgramRun(
      arguments: arguments.map { $0.filledIn(with: values) }, environment: environment,
      folder: folder, timeLimit: timeLimit, memoryLimit: memoryLimit)
    let code = try run.exitCode()
    let bytes = try PlainFile.read(places[1])
    guard bytes.count <= options.sizeLimit else {
      throw MergeError(.tooLarge, "“\(name)” left more than \(options.sizeLimit) bytes.")
    }
    let isComplete = code == 0
    return MergeOutcome(
      bytes: bytes,
      decisions: [
        MergeDecision(
          kind: isComplete ? .combined : .clash,
          explanation: isComplete
            ? "“\(name)” combined the changes of both sides."
            : "Both sides changed the document, and “\(name)” could not decide all of it.")
      ])
  }
}

extension String {
  /// Returns the text with its placeholders replaced by values.
  fileprivate func filledIn(with values: [Unicode.Scalar: String]) -> String {
    var result = ""
    var isMark = false
    for sign in unicodeScalars {
      if isMark {
        result += values[sign] ?? "%\(sign)"
        isMark = false
      } else if sign == "%" {
        isMark = true
      } else {
        result.unicodeScalars.append(sign)
      }
    }
    return isMark ? result + "%" : result
  }
}
