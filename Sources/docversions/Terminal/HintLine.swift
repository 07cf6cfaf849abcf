internal import DocumentVersions
internal import Foundation

/// Lines with a purpose and a command to paste.
enum HintLine {
  /// The maximum number of documents in one line, because people don't read longer commands.
  static let mostNames = 5

  /// Returns the line with a command for documents; nil if there are none.
  ///
  /// - Parameters:
  ///   - words: the purpose of the command, such as "Save what was edited".
  ///   - command: the command and its options.
  ///   - documents: the documents.
  ///   - folderCommand: the command for the folder that holds all of them, if they are many; `nil` if there is none.
  ///   - end: the text after the documents.
  static func text(
    _ words: String, _ command: String, _ documents: [DocumentArgument],
    inFolder folderCommand: String? = nil, _ end: String = ""
  ) -> String? {
    guard !documents.isEmpty else { return nil }
    if documents.count > mostNames, let folderCommand {
      let folder = folder(of: documents).word
      return "\(words):  ".asMuted + "docversions \(folderCommand) \(folder)\(end)"
    }
    let named = documents.prefix(mostNames)
    let part = named.count < documents.count ? " (\(named.count) of \(documents.count))" : ""
    let names = named.map(\.word).joined(separator: " ")
    return "\(words)\(part):  ".asMuted + "docversions \(command) \(names)\(end)"
  }

  /// Returns the folder that holds all documents at any depth.
  private static func folder(of documents: [DocumentArgument]) -> DocumentArgument {
    let folders = documents.map {
      $0.url.absoluteURL.standardizedFileURL.deletingLastPathComponent().pathComponents
    }
    var common = folders.first ?? []
    for folder in folders {
      common = Array(zip(common, folder).prefix { $0 == $1 }.map(\.0))
    }
    let path = "/" + common.dropFirst().joined(separator: "/")
    let isHere = path == FileManager.default.currentDirectoryPath
    return isHere ? .here : DocumentArgument(URL(filePath: path))
  }
}
