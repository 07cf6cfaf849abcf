import DocumentVersions
import Foundation

/// The state at one moment: versions, and the documents themselves.
struct CutExpectation: Sendable, Equatable {
  /// The contents of each listed version.
  var versions: [String: [String: [UInt8]]] = [:]
  /// All files of people.
  var documents: [String: DiskImage.Node] = [:]

  init(of root: URL, _ operation: CutOperation) throws {
    for path in operation.documents {
      do {
        try versions.merge(Self.versions(of: root.appending(path: path))) { $1 }
      } catch let error as VersionError where operation.isRepair && error.code == .damaged {}
    }
    documents = try Self.documents(in: DiskImage(of: root))
  }

  /// Returns the listed versions with their contents, as a newly started process sees them.
  private static func versions(of document: URL) throws -> [String: [String: [UInt8]]] {
    let store = CutProgram.store
    let history: DocumentHistory
    do {
      history = try store.history(of: document)
    } catch let error as VersionError where error.code == .noVersions {
      return [:]
    } catch let error as FileError where error.code == .notFound {
      return [:]
    }
    var result: [String: [String: [UInt8]]] = [:]
    for version in history.versions where version.hasLocalContents {
      let members =
        version.isPackage
        ? try store.members(of: version).filter { $0.kind != "folder" }.map(\.path) : [""]
      let contents =
        try version.isDeletion
        ? [:]
        : members.map {
          ($0, [UInt8](try store.contents(of: version, member: $0.isEmpty ? nil : $0)))
        }.asDictionary
      result[version.id.description] = contents
    }
    return result
  }

  /// Returns the files of an image that are neither stores nor temporary files of the program.
  static func documents(in image: DiskImage) throws -> [String: DiskImage.Node] {
    image.tree.filter { path, node in
      let names = path.split(separator: "/")
      if case .folder = node { return false }
      return names.first != "cloud" && !names.contains { isOwn(String($0)) }
    }
  }

  /// Returns whether a name belongs to the program's stores or temporary files.
  private static func isOwn(_ name: String) -> Bool {
    name == ".docversions" || name.hasPrefix(".docversions-") || name.hasPrefix(".new-")
  }
}

extension [(String, [UInt8])] {
  fileprivate var asDictionary: [String: [UInt8]] { Dictionary(self) { $1 } }
}
