internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A document's path inside its container: names with "/" between them, valid UTF-8.
package enum ContainerPath {
  /// The longest name of a document, in bytes; the name of its store is four bytes longer.
  static let longestName = 251

  /// Returns the reason why no document can have a name, as the end of a sentence; `nil` if one can.
  package static func flaw(ofName name: [UInt8]) -> String? {
    guard String(validating: name, as: UTF8.self) != nil else { return "is not valid UTF-8" }
    return name.count > longestName
      ? "is too long (a document’s may have \(longestName) bytes)" : nil
  }

  /// Throws an error for a path that could lead out of the container, or into its stores, because paths come
  /// from other devices.
  static func validate(_ path: String) throws(GitError) {
    guard isValid(path) else {
      throw .malformed("a record has the path “\(Printable.text(path))”")
    }
  }

  /// Returns whether a path stays in its container, and outside the stores and git's folders.
  package static func isValid(_ path: String) -> Bool {
    path.pathNames(keepingEmpty: true).allSatisfy { name in
      !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
        && !name.utf8.contains(0) && !isStoresFolder(name) && !isGitFolder(name)
    }
  }

  /// Returns whether a name is the name of the folder with the stores.
  static func isStoresFolder(_ name: String) -> Bool {
    isSame(name, as: StoresFolder.name)
  }

  /// Returns whether a name is the name of git's repository folder, in which git would run another device's
  /// files.
  static func isGitFolder(_ name: String) -> Bool {
    isSame(name, as: ".git")
  }

  /// Returns whether two names are the same, on this disk or on one that ignores case and invisible
  /// characters.
  private static func isSame(_ name: String, as folder: String) -> Bool {
    if name.hasBytes(of: folder) { return true }
    guard name.utf8.first == UInt8(ascii: ".") || !name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return false
    }
    let seen = name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
    return String(seen).uppercased() == folder.uppercased()
  }

  /// Throws an error for text that can't be the name of an item in a folder.
  static func checkName(_ name: String, of document: FilePath) throws(FileError) {
    let isName =
      !["", ".", ".."].contains(name)
      && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    guard !isName else { return }
    throw FileError(
      .invalidName, path: document,
      message: "“\(Printable.text(name))” can’t be the name of “\(document.printable)”.")
  }

  /// Returns the last name.
  package static func name(of path: String) -> String {
    path.pathNames().last ?? path
  }

  /// Returns the path without its last name; empty for a name at the top.
  package static func folder(of path: String) -> String {
    path.pathNames().dropLast().joined(separator: "/")
  }

  /// Returns the path with another last name.
  static func renaming(_ path: String, to name: String) -> String {
    (path.pathNames().dropLast() + [name]).joined(separator: "/")
  }

  /// Returns the path without a number: "report.md" for "report 2.md"; `nil` for a name without a number.
  package static func unnumbered(_ path: String) -> String? {
    let name = name(of: path)
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let stem = parts.count > 1 ? parts.dropLast().joined(separator: ".") : name
    let words = stem.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 1, let number = words.last.flatMap({ Int($0) }), number > 1 else {
      return nil
    }
    let ending = parts.count > 1 ? "." + (parts.last ?? "") : ""
    return renaming(path, to: words.dropLast().joined(separator: " ") + ending)
  }

  /// Returns the path with a number: "report 2.md" for "report.md"; a long name is shortened to one that a
  /// document can have.
  package static func numbered(_ path: String, _ number: Int) -> String {
    renaming(
      path,
      to: FileName.extending(name(of: path), after: " \(number)", upTo: longestName))
  }
}
