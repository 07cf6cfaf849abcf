internal import DocumentFiles
public import Foundation
internal import SystemPackage

/// Names for new documents.
public enum DocumentName {
  /// Returns a location for a new document, such as "Note 1.md", with the first number that no item in the folder has.
  ///
  /// - Parameters:
  ///   - folder: the folder, which need not exist.
  ///   - prefix: the part before the number, such as "Note".
  ///   - pathExtension: the extension, without a dot; empty for no extension.
  /// - Throws: ``FileError`` if the folder can't be listed.
  public static func unused(
    in folder: URL, prefix: String, pathExtension: String
  ) throws -> URL {
    let path = try folder.filePath
    let names = try FileStatus.of(path) == nil ? [] : Folder.names(in: path)
    // Lowercased, because some file systems don't distinguish "note" and "Note".
    let taken = Set(names.map { String(decoding: $0, as: UTF8.self).lowercased() })
    let prefix = sanitized(prefix)
    var number = 1
    while taken.contains(name(prefix, number, pathExtension).lowercased()) { number += 1 }
    return folder.appending(path: name(prefix, number, pathExtension))
  }

  /// Returns a file name, valid on every file system, for a title such as the first line of a text; "Untitled" for an
  /// empty title.
  public static func sanitized(_ title: String) -> String {
    let forbidden = Set("/\\:*?\"<>|")
    let line = title.split(whereSeparator: \.isNewline).first ?? ""
    let shown = line.map { character -> Character in
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      return isControl || forbidden.contains(character) ? " " : character
    }
    var name = String(shown).split(separator: " ").joined(separator: " ")
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    while name.first == "." || name.first == " " { name.removeFirst() }
    while name.utf8.count > longest { name.removeLast() }
    return name.isEmpty ? "Untitled" : name
  }

  private static func name(_ prefix: String, _ number: Int, _ pathExtension: String) -> String {
    pathExtension.isEmpty ? "\(prefix) \(number)" : "\(prefix) \(number).\(pathExtension)"
  }

  /// The greatest length in bytes, which leaves room for a number, an extension, and suffixes that other
  /// programs add.
  private static let longest = 180
}
