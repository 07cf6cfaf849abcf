internal import DocumentFiles
package import Foundation
package import SystemPackage

/// The folder whose items change whenever the heads of a document do.
package struct HeadsPlace: Equatable, Sendable {
  /// The folder; where the document has no store yet, the one in which the first version makes something.
  package let folder: FilePath
  /// The name of what that makes; nil where every item counts.
  package let member: [UInt8]?

  /// Finds it; blocks.
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
