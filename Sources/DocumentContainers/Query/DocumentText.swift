internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The text of documents on disk.
enum DocumentText {
  /// Searches the lines of a document, or of a package's members; unreadable contents have no text.
  static func has(_ pattern: LinePattern, at path: FilePath) -> Bool {
    do {
      return try files(of: ItemListing(path, limits: nil), at: path).contains { file in
        guard let text = TextContent(try PlainFile.read(URL(filePath: file.string))) else {
          return false
        }
        return try pattern.isFound(in: text)
      }
    } catch {
      return false
    }
  }

  private static func files(of listing: ItemListing, at path: FilePath) -> [FilePath] {
    guard let members = listing.members else {
      return listing.status.kind == .file && listing.status.size <= mostBytes ? [path] : []
    }
    return members.flatMap { files(of: $0, at: path.appending(bytes: $0.name)) }
  }

  /// Larger files aren't searched.
  private static let mostBytes = 64 << 20
}
