internal import Foundation
internal import NIOHTTP1

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A subfolder of the page's folder into which a document is moved.
struct Subfolder {
  let url: URL
  /// The folders that were created for it, innermost first.
  fileprivate(set) var made: [URL] = []

  /// Removes the folders that were created for it, if they are empty.
  func removeIfNew() {
    for folder in made where rmdir(folder.path) != 0 { return }
  }
}

extension PageFolder {
  /// Returns the subfolder at a path in the page's folder, and creates it if it is missing.
  ///
  /// - Throws: ``PageError`` for a path that leads out of the folder, into a document, or to a hidden item.
  func makeSubfolder(_ path: String) throws -> Subfolder {
    guard !path.isEmpty else { return Subfolder(url: root) }
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let areNames = names.allSatisfy {
      !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(0) && $0.utf8.count <= 255
    }
    guard areNames else { throw PageError(.badRequest, "A folder can't be “\(path)”.") }
    var folder = Subfolder(url: root)
    var place = root
    var below = ""
    for name in names {
      below = below.isEmpty ? name : "\(below)/\(name)"
      guard item(below) == nil else {
        folder.removeIfNew()
        throw PageError(.conflict, "“\(below)” is a document.")
      }
      place = place.appending(path: name, directoryHint: .isDirectory)
      if !FileManager.default.fileExists(atPath: place.path) {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        folder.made.insert(place, at: 0)
      }
      // Nothing is created below a link, so each step is checked before the next.
      guard place.resolvingSymlinksInPath().path == place.standardizedFileURL.path else {
        folder.removeIfNew()
        throw PageError(.forbidden, "“\(below)” is a link.")
      }
    }
    return Subfolder(url: place, made: folder.made)
  }
}
