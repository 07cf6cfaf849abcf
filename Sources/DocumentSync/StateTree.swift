internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// The tree of a device's state: the device's identity, and its knowledge of each document.
///
/// ```
/// device                      its format, its name and its branch, a line each
/// branches/<device>           the beginning of another device's branch, as this one has seen it
/// ab/cd/<document>.head0      the record of a head; more follow as head1 …
/// ab/cd/<document>.chain      what the device's content chain was
/// ab/cd/<document>.newest     the published content of the version that the device published last
/// ab/cd/<document>.path       its path on the device
/// ab/cd/<document>.aliases    the other ids that the device knows it by, a line each; mostly there are none
/// ```
///
/// It refers to ids as git's links to commits, so that they bring no objects along; commits that have to be
/// sent are parents of the state's commit. With two levels of folders, a change rewrites only three trees.
final class StateTree {
  /// An entry of a folder.
  private struct Node: Equatable {
    var mode: String
    var id: ObjectID
  }

  private typealias Entries = [String: Node]

  private let objects: ObjectStore
  private let root: Entries
  /// The folders that were read or changed, by their paths.
  private var folders: [String: Entries] = [:]
  private var changed: Set<String> = []
  /// The trees of the folders that were read.
  private var trees: [String: ObjectID] = [:]
  /// New small files, with their texts.
  private var files: [ObjectID: (object: GitObject, text: String)] = [:]

  /// Creates an empty state.
  init(in objects: ObjectStore) {
    self.objects = objects
    root = [:]
  }

  /// Reads the state of a device.
  init(at commit: ObjectID, in objects: ObjectStore) throws {
    let tree = try objects.commit(commit).tree
    self.objects = objects
    root = try Self.read(tree, in: objects)
    trees[""] = tree
  }

  // MARK: The device

  /// The device's identity.
  struct Info: Equatable {
    /// The name, as others read it.
    var name: String
    /// The last part of the name of its branch.
    var branch: String
  }

  func info() throws -> Info {
    guard let node = top("device") else { throw GitError.malformed("a state names no device") }
    let text = try text(of: node.id)
    var values: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 1)
      if fields.count == 2 { values[fields[0]] = String(fields[1]) }
    }
    guard values["format"] == "1" else {
      throw GitError.malformed("a state has a format that a newer docversions may read")
    }
    guard let name = values["name"], let branch = values["branch"] else {
      throw GitError.malformed("a state does not say whose it is")
    }
    return Info(name: name, branch: branch)
  }

  func set(_ info: Info) {
    let text = "format 1\nname \(info.name)\nbranch \(info.branch)\n"
    set(file(text), named: "device", in: "")
  }

  /// Returns the beginning of another device's branch, as this device has seen it.
  func branchSeen(of device: DeviceIdentifier) throws -> ObjectID? {
    try folder("branches")[device.description]?.id
  }

  func setBranchSeen(_ start: ObjectID, of device: DeviceIdentifier) throws {
    try load("branches")
    set(Node(mode: RawTree.link, id: start), named: device.description, in: "branches")
  }

  // MARK: Documents

  /// Returns the entry of a document in the state; nil if there is none.
  func document(_ identifier: String) throws -> PublishedDocument? {
    guard identifier.utf8.count == 32 else { return nil }
    let folder = try folder(Self.place(of: identifier))
    let prefix = identifier + "."
    let nodes = folder.filter { $0.key.hasPrefix(prefix) }
    guard !nodes.isEmpty else { return nil }
    var document = PublishedDocument()
    for (name, node) in nodes {
      switch name.dropFirst(prefix.count) {
      case "chain": document.chain = node.id
      case "newest": document.newest = node.id
      case "path":
        document.path = try text(of: node.id)
      case "aliases":
        document.aliases = try text(of: node.id).split(separator: "\n").map(String.init)
      case let part where part.hasPrefix("head"): document.heads.insert(node.id)
      default: continue
      }
    }
    return document
  }

  func set(_ document: PublishedDocument, of identifier: String) throws {
    let place = Self.place(of: identifier)
    let former = try self.document(identifier)
    try load(place)
    let isPathKnown = former.map { $0.path.hasBytes(of: document.path) } ?? false
    let prefix = identifier + "."
    for name in folders[place, default: [:]].keys where name.hasPrefix(prefix) {
      if name.hasSuffix(".path"), isPathKnown { continue }
      set(nil, named: name, in: place)
    }
    for (number, head) in document.heads.sorted().enumerated() {
      set(Node(mode: RawTree.link, id: head), named: "\(prefix)head\(number)", in: place)
    }
    if let chain = document.chain {
      set(Node(mode: RawTree.link, id: chain), named: prefix + "chain", in: place)
    }
    if let newest = document.newest {
      set(Node(mode: RawTree.link, id: newest), named: prefix + "newest", in: place)
    }
    if let path = document.path, !isPathKnown {
      set(file(path), named: prefix + "path", in: place)
    }
    if !document.aliases.isEmpty {
      let lines = document.aliases.map { $0 + "\n" }.joined()
      set(file(lines), named: prefix + "aliases", in: place)
    }
  }

  /// Removes the entry of a document.
  func remove(_ identifier: String) throws {
    let place = Self.place(of: identifier)
    try load(place)
    for name in folders[place, default: [:]].keys where name.hasPrefix(identifier + ".") {
      set(nil, named: name, in: place)
    }
  }

  /// Returns the ids of all documents.
  ///
  /// - Parameter new: documents that were set since the state was read.
  func documents(including new: [String]) throws -> Set<String> {
    try differences(from: nil).documents.union(new)
  }

  /// Returns the documents whose entries differ from those in an earlier state.
  ///
  /// - Returns: the documents, and whether these are all; the documents of a folder that has not arrived are
  ///   unknown.
  func differences(from former: StateTree?) throws -> (documents: Set<String>, isWhole: Bool) {
    var found: Set<String> = []
    var isWhole = true
    func differences(_ path: String) throws -> Entries {
      do {
        let (new, old) = (try folder(path), try former?.folderIfThere(path) ?? [:])
        return new.filter { old[$0.key] != $0.value }
      } catch let error as GitError where !error.isFromSystem {
        isWhole = false
        return [:]
      }
    }
    for first in try differences("").keys where Self.isPlace(first) {
      for second in try differences(first).keys {
        for name in try differences("\(first)/\(second)").keys {
          found.insert(String(name.prefix(32)))
        }
      }
    }
    return (found, isWhole)
  }

  /// Returns the entries of a folder in a state whose parts may be missing.
  private func folderIfThere(_ path: String) throws -> Entries {
    try ifReadable { try folder(path) } ?? [:]
  }

  // MARK: Writing

  /// True if something was changed.
  var isChanged: Bool { !changed.isEmpty }

  /// Returns the tree and the new objects, each with the object that it replaces.
  func encoded() throws -> (tree: ObjectID, objects: [(new: GitObject, former: ObjectID?)]) {
    var new: [(new: GitObject, former: ObjectID?)] = files.values.map { ($0.object, nil) }
    let children = Dictionary(grouping: changed.filter { !$0.isEmpty }, by: Self.parent)
    func write(_ path: String) throws -> ObjectID {
      var folder = try self.folder(path)
      for child in children[path, default: []].sorted() {
        let name = String(child.dropFirst(path.isEmpty ? 0 : path.utf8.count + 1))
        let id = try write(child)
        folder[name] = id == .emptyTree ? nil : Node(mode: RawTree.folder, id: id)
      }
      let object = Self.encode(folder)
      new.append((object, trees[path] == object.id ? nil : trees[path]))
      return object.id
    }
    return (try write(""), new)
  }

  // MARK: Folders

  private static func place(of identifier: String) -> String {
    "\(identifier.prefix(2))/\(identifier.dropFirst(2).prefix(2))"
  }

  private static func isPlace(_ name: String) -> Bool { name.utf8.count == 2 }

  private static func parent(of path: String) -> String {
    path.contains("/") ? String(path.prefix(2)) : ""
  }

  private func top(_ name: String) -> Node? { folders[""]?[name] ?? root[name] }

  /// Returns the entries of a folder; none if it is missing.
  private func folder(_ path: String) throws -> Entries {
    if let known = folders[path] { return known }
    if path.isEmpty { return root }
    let name = String(path.split(separator: "/").last ?? "")
    guard let node = try folder(Self.parent(of: path))[name], node.mode == RawTree.folder else {
      return [:]
    }
    let read = try Self.read(node.id, in: objects)
    folders[path] = read
    trees[path] = node.id
    return read
  }

  private func load(_ path: String) throws {
    folders[path] = try folder(path)
  }

  private func set(_ node: Node?, named name: String, in path: String) {
    if folders[path] == nil { folders[path] = path.isEmpty ? root : [:] }
    guard folders[path]?[name] != node else { return }
    folders[path]?[name] = node
    var path = path
    while changed.insert(path).inserted, !path.isEmpty { path = Self.parent(of: path) }
  }

  private func text(of file: ObjectID) throws -> String {
    if let new = files[file] { return new.text }
    return String(decoding: try objects.read(file, as: .blob, upTo: 1 << 16), as: UTF8.self)
  }

  private func file(_ text: String) -> Node {
    let object = GitObject(.blob, Array(text.utf8))
    files[object.id] = (object, text)
    return Node(mode: RawTree.file, id: object.id)
  }

  private static func read(_ id: ObjectID, in objects: ObjectStore) throws -> Entries {
    let entries = try RawTree(objects.read(id, as: .tree, upTo: 64 << 20)).entries
    return Dictionary(
      entries.map { ($0.name, Node(mode: $0.mode, id: $0.id)) }, uniquingKeysWith: { $1 })
  }

  private static func encode(_ folder: Entries) -> GitObject {
    RawTree(folder.map { RawTree.Entry(mode: $1.mode, id: $1.id, name: $0) }).encoded()
  }
}
