internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// A document as the user typed it, or as a listing found it.
struct DocumentArgument: ExpressibleByArgument {
  /// The path, relative to the current folder if the user typed it so.
  let path: String
  let url: URL
  /// True if a listing found it.
  let isFound: Bool

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    path = argument
    url = URL(filePath: argument.followingParents.withoutHome)
    isFound = false
  }

  /// Creates the argument for a found document, which is shown relative to the current folder if it is inside
  /// it.
  init(_ url: URL) {
    let current = FileManager.default.currentDirectoryPath
    let folder = current == "/" ? current : current + "/"
    // Bytes: as texts, two ways to compose a character are equal.
    let isInside = url.path.utf8.starts(with: folder.utf8)
    path = isInside ? String(Substring(url.path.utf8.dropFirst(folder.utf8.count))) : url.path
    self.url = url
    isFound = true
  }

  /// The current folder, if none is named.
  static var here: DocumentArgument {
    DocumentArgument(argument: ".") ?? DocumentArgument(URL(filePath: "."))
  }

  /// The path from the root, for programs.
  var absolutePath: String { url.absoluteURL.path }

  /// The path for a person to read.
  var shown: String { Printable.text(path) }

  /// The path as the operand of a command that works on the current folder by default; empty for the current
  /// folder.
  var asOperand: String {
    URL(filePath: absolutePath).standardizedFileURL
      == URL(filePath: FileManager.default.currentDirectoryPath).standardizedFileURL
      ? "" : " " + word
  }

  /// True if it is a folder now.
  var isFolder: Bool { url.isFolderNow }

  /// Throws an error for anything but a folder.
  func refuseUnlessFolder() throws {
    guard isFolder else {
      throw CommandFailure(
        .usage, code: VersionError.Code.invalidArgument.rawValue, "“\(shown)” is not a folder.",
        path: shown)
    }
  }

  /// The path as a word of a command to paste.
  var word: String { ShellWord.path(path) }

  /// Returns whether an error only means that the document has disappeared since the listing found it, which
  /// isn't a failure.
  func isGone(_ error: any Error) -> Bool {
    guard isFound, let error = error as? FileError, error.code == .notFound else { return false }
    return !url.isThere
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

extension String {
  /// The path in a form in which an address treats "~" as a name, not as a home folder, because the shell has
  /// already left it as is.
  fileprivate var withoutHome: String {
    hasPrefix("~") ? "./" + self : self
  }

  /// The path without "..", which leads up from the target of a link; an address would only drop the name
  /// before it.
  fileprivate var followingParents: String {
    let names = pathNames(keepingEmpty: true)
    guard let last = names.lastIndex(of: ".."),
      let folder = realpath(names[...last].joined(separator: "/"), nil)
    else { return self }
    defer { free(folder) }
    guard let found = String(validatingCString: folder) else { return self }
    return ([found] + names[(last + 1)...]).joined(separator: "/")
  }
}

extension URL {
  /// True if an item exists there now.
  var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// True if a folder exists there now.
  var isFolderNow: Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

extension [DocumentArgument] {
  /// The first names, and the number of the others: "a.md, b.md and 3 more".
  func names(atMost most: Int = 5) -> String {
    prefix(most).map(\.shown).joined(separator: ", ")
      + (count > most ? " and \(count - most) more" : "")
  }

  /// The documents without repetitions, each as it was first named.
  var withoutRepetition: [DocumentArgument] {
    guard count > 1 else { return self }
    var known: Set<[UInt8]> = []
    // Bytes: as texts, two ways to compose a character are equal.
    return filter {
      known.insert([UInt8]($0.url.absoluteURL.standardizedFileURL.path.utf8)).inserted
    }
  }
}
