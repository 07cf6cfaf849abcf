internal import DocumentFiles
public import Foundation
internal import SystemPackage

/// Names for new documents, without asking a person.
public enum DocumentName {
  /// A place for a new document: "Note 1.md", "Note 2.md" …, with the first number that no item in the folder has.
  ///
  /// - Parameters:
  ///   - folder: the folder; it need not be there.
  ///   - prefix: the part before the number, such as "Note".
  ///   - pathExtension: the extension, without a dot; empty for none.
  /// - Throws: ``FileError`` where the folder can't be listed.
  public static func unused(
    in folder: URL, prefix: String, pathExtension: String
  ) throws -> URL {
    let path = try folder.filePath
    let names = try FileStatus.of(path) == nil ? [] : Folder.names(in: path)
    // Also on file systems that do not tell "note" from "Note".
    let taken = Set(names.map { String(decoding: $0, as: UTF8.self).lowercased() })
    let prefix = sanitized(prefix)
    var number = 1
    while taken.contains(name(prefix, number, pathExtension).lowercased()) { number += 1 }
    return folder.appending(path: name(prefix, number, pathExtension))
  }

  /// A name made of a title, such as the first line of a text, that every file system takes; "Untitled" for an empty one.
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

  /// Bytes: a number, an extension, and what other programs add to names still fit.
  private static let longest = 180
}
