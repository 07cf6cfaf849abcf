internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// The states of a file in the commits of a git work tree.
///
/// It is read without git, so settings, hooks and filters of the repository have no effect. Unreadable contents aren't
/// a base.
struct GitHistory {
  private let repository: FilePath?
  /// The path of the file in the work tree, as names.
  private let path: [[UInt8]]

  init(of file: FilePath) throws {
    var folder = file.parentFolder
    var names = [file.lastName]
    while true {
      let git = folder.appending(".git")
      if try FileStatus.of(git)?.kind == .folder {
        repository = git
        path = names
        return
      }
      guard folder.lastComponent != nil else { break }
      names.insert(folder.lastName, at: 0)
      folder = folder.parentFolder
    }
    repository = nil
    path = []
  }

  private static let mostCommits = 500

  /// Returns the different contents of the file along the first parents, oldest first.
  ///
  /// - Parameter most: the maximum total size in bytes.
  func contents(upTo most: Int) throws -> [(commit: String, date: Date, bytes: [UInt8])] {
    guard let repository else { return [] }
    do {
      let open = try Repository(sharedAt: repository)
      return try contents(in: open, upTo: most)
    } catch {
      // The repository has a newer format, or is damaged.
      return []
    }
  }

  private func contents(
    in repository: borrowing Repository, upTo most: Int
  ) throws(GitError) -> [(commit: String, date: Date, bytes: [UInt8])] {
    let head: ObjectID? =
      switch try repository.references.head() {
      case .attached(let name): try repository.references.value(of: name)
      case .detached(let id): id
      }
    var states: [(commit: ObjectID, date: Int64, blob: ObjectID)] = []
    var next = head
    for _ in 1...Self.mostCommits {
      guard let id = next else { break }
      let commit = try repository.commit(id)
      next = commit.parents.first
      guard let blob = try blob(in: commit.tree, repository) else { continue }
      // Of consecutive commits with the same content, the oldest added it.
      if states.last?.blob == blob { states.removeLast() }
      states.append((id, commit.author.seconds, blob))
    }
    var bytes = 0
    var found: [(commit: String, date: Date, bytes: [UInt8])] = []
    for state in states {
      let size = try repository.size(of: state.blob)
      bytes += size
      guard bytes <= most else { break }
      found.append(
        (
          state.commit.description, Date(timeIntervalSince1970: Double(state.date)),
          try repository.read(state.blob, as: .blob)
        ))
    }
    return found.reversed()
  }

  /// Returns the file in a commit’s tree; `nil` if there is none.
  private func blob(
    in tree: ObjectID, _ repository: borrowing Repository
  ) throws(GitError) -> ObjectID? {
    var tree = tree
    for (index, name) in path.enumerated() {
      let entries = try repository.tree(tree).entries
      guard let entry = entries.first(where: { $0.name == name }) else { return nil }
      let isLast = index == path.count - 1
      guard isLast ? entry.mode.isFile : entry.mode == .folder else { return nil }
      if isLast { return entry.id }
      tree = entry.id
    }
    return nil
  }
}
