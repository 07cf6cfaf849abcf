import DocumentVersions
import Foundation

/// What there is at one moment: versions, and the documents themselves.
struct CutExpectation: Sendable, Equatable {
  /// What each version that is listed holds.
  var versions: [String: [String: [UInt8]]] = [:]
  /// All files that are people's own.
  var documents: [String: DiskImage.Node] = [:]

  init(of root: URL, _ operation: CutOperation) throws {
    for path in operation.documents {
      do {
        try versions.merge(Self.versions(of: root.appending(path: path))) { $1 }
      } catch let error as VersionError where operation.isRepair && error.code == .damaged {}
    }
    documents = try Self.documents(in: DiskImage(of: root))
  }

  /// The versions that are listed, with their contents, as a process sees them that starts now.
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

  /// The files of an image that are neither stores nor begun by the program.
  static func documents(in image: DiskImage) throws -> [String: DiskImage.Node] {
    image.tree.filter { path, node in
      let names = path.split(separator: "/")
      if case .folder = node { return false }
      return names.first != "cloud" && !names.contains { isOwn(String($0)) }
    }
  }

  /// Whether a name is one of the program’s: of its stores, or of what it has begun.
  private static func isOwn(_ name: String) -> Bool {
    name == ".docversions" || name.hasPrefix(".docversions-") || name.hasPrefix(".new-")
  }
}

extension [(String, [UInt8])] {
  fileprivate var asDictionary: [String: [UInt8]] { Dictionary(self) { $1 } }
}
