internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// Items in packages that aren't members.
package enum IgnoredMembers {
  /// Returns the items in a package on disk that aren't members, in the order of their paths.
  ///
  /// - Returns: the items; none for a document that is a file, or that has no versions.
  package static func of(_ document: URL, in store: SynchronousStore) throws -> [IgnoredItem] {
    try store.environment.readingIfSaved(document) { reader in
      guard let copy = try reader.document.copy(), copy.listing.hasIgnored else { return [] }
      let rules = try IgnoreRules(forMembersOf: reader.location)
      var found: [IgnoredItem] = []
      copy.listing.forEachIgnored { path, isFolder in
        let place = path.reduce(reader.location.document) { $0.appending(bytes: $1) }
        let rule = rules.rule(for: path, isFolder: isFolder)
        // Apart from items that a rule names, only the parts of databases aren't members.
        found.append(
          IgnoredItem(
            url: URL(filePath: place.string), rule: rule,
            reason: rule == nil ? .databasePart : nil))
      }
      return found.sorted { $0.url.path < $1.url.path }
    } ?? []
  }
}
