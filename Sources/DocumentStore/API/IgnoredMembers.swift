internal import DocumentFiles
package import Foundation
internal import SystemPackage

/// What is in packages and no member of them.
package enum IgnoredMembers {
  /// What is in a package on disk and no member of it, in the order of the paths.
  ///
  /// - Returns: nothing for a document that is a file, or that has no versions.
  package static func of(_ document: URL, in store: SynchronousStore) throws -> [IgnoredItem] {
    try store.environment.readingIfSaved(document) { reader in
      guard let copy = try reader.document.copy(), copy.listing.hasIgnored else { return [] }
      let rules = try IgnoreRules(forMembersOf: reader.location)
      var found: [IgnoredItem] = []
      copy.listing.forEachIgnored { path, isFolder in
        let place = path.reduce(reader.location.document) { $0.appending(bytes: $1) }
        found.append(
          IgnoredItem(
            url: URL(filePath: place.string), rule: rules.rule(for: path, isFolder: isFolder)))
      }
      return found.sorted { $0.url.path < $1.url.path }
    } ?? []
  }
}
