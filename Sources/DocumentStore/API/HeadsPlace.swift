internal import DocumentFiles
package import Foundation
package import SystemPackage

/// The folder whose items change whenever the heads of a document change.
package struct HeadsPlace: Equatable, Sendable {
  /// The folder; if the document has no store yet, the folder in which the first version creates an item.
  package let folder: FilePath
  /// The name of that item; `nil` if every item counts.
  package let member: [UInt8]?

  /// Finds the folder of a document; blocks.
  package init(of document: URL) throws {
    var folder = StoreFile.heads.path(in: try DocumentLocation(of: document).store)
    var member: [UInt8]?
    while try FileStatus.of(folder) == nil, folder.lastComponent != nil {
      member = folder.lastName
      folder = folder.parentFolder
    }
    self.folder = folder
    self.member = member
  }
}
