internal import DocumentFiles
internal import DocumentGit
package import Foundation

extension VersionStore {
  /// The document's contents as they are on disk, for comparing; nil when it is not there.
  package func loadContentsOnDisk(of document: URL) throws -> VersionContents? {
    let location = try DocumentLocation(of: document)
    return try translatingErrors(location) {
      let path = try location.followingRename().document
      guard try FileStatus.of(path) != nil else { return nil }
      let meter = ProgressMeter(progress)
      if try ItemListing(path).bytes > LargeFile.threshold,
        let large = try LargeFile(WorkingCopy.read(path, named: "", meter: meter).content)
      {
        return .largeFile(large)
      }
      let (_, entries, listing) = try DocumentReader.read(
        path, expect: meter.expect, progress: meter.advance
      ) { EntryReader() }
      guard !listing.isPackage, case .file(_, let isExecutable, let read)? = entries.first?.kind
      else {
        return .package(entries)
      }
      return .file(try read(), isExecutable: isExecutable)
    }
  }
}

/// Makes the entries of a package from what is on disk.
private struct EntryReader: DocumentVisitor {
  mutating func file(_ contents: FileContents, isExecutable: Bool) throws -> [PackageEntry] {
    let bytes = try contents.read()
    let identity = try GitObject(.blob, bytes).id.description
    return [entry(.file(identity: identity, isExecutable: isExecutable, read: { bytes }))]
  }

  mutating func symbolicLink(target: [UInt8]) throws -> [PackageEntry] {
    [entry(.symbolicLink(target: target))]
  }

  mutating func folder(_ members: [(name: [UInt8], node: [PackageEntry])]) throws -> [PackageEntry]
  {
    guard !members.isEmpty else { return [entry(.folder)] }
    return members.flatMap { name, entries in
      entries.map { PackageEntry(path: [name] + $0.path, kind: $0.kind) }
    }
  }

  private func entry(_ kind: PackageEntry.Kind) -> PackageEntry {
    PackageEntry(path: [], kind: kind)
  }
}
