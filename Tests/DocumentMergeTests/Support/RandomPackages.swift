import DocumentMerge
import DocumentTestSupport

/// A package and two changed ones; every line has its own mark, which shows its author.
struct RandomPackages {
  typealias Members = [String: PackageMember]

  private(set) var base: Members = [:]
  private(set) var ours: Members = [:]
  private(set) var theirs: Members = [:]
  private var generator: SeededGenerator
  private var lines = 0

  /// True if members are copied; it can't be known which of several equal ones was renamed.
  private let copies: Bool

  init(seed: Int, copies: Bool = true) {
    self.copies = copies
    generator = SeededGenerator(seed: seed)
    for _ in 0..<Int.random(in: 2...7, using: &generator) {
      if let path = freePath(in: base) { base[path] = newMember(by: "b") }
      base.removeFilledFolders()
    }
    // Each side changes one of these in any case.
    for name in ["ours", "theirs"] { base["zz/\(name)"] = newFile(by: "b") }
    ours = changed(base, by: "o")
    theirs = changed(base, by: "t")
    ours["zz/ours"] = edited(base["zz/ours"], by: "o")
    theirs["zz/theirs"] = edited(base["zz/theirs"], by: "t")
  }

  private mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element? {
    choices.randomElement(using: &generator)
  }

  // MARK: Contents

  private mutating func newLine(by side: String) -> String {
    lines += 1
    return "\(side)\(lines)."
  }

  private mutating func newFile(by side: String, lines count: Int = 8) -> PackageMember {
    file((0..<count).map { _ in newLine(by: side) + "\n" }.joined(), isExecutable: chance(5))
  }

  private mutating func newMember(by side: String) -> PackageMember {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: link(newLine(by: side))
    case 1: .folder
    case 2: file("")
    default: newFile(by: side)
    }
  }

  private mutating func chance(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &generator) == 0
  }

  private mutating func edited(_ member: PackageMember?, by side: String) -> PackageMember {
    guard case .file(let known)? = member else { return newFile(by: side) }
    var lines = known.identity.split(separator: "\n").map(String.init)
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let index = Int.random(in: 0...lines.count, using: &generator)
      if index < lines.count, !chance(4) {
        lines[index] = newLine(by: side)
      } else {
        lines.insert(newLine(by: side), at: index)
      }
    }
    return file(lines.map { $0 + "\n" }.joined(), isExecutable: known.isExecutable)
  }

  // MARK: Paths

  private mutating func freePath(in members: Members) -> String? {
    for _ in 0..<8 {
      let folder = pick(["", "", "a/", "b/", "a/c/", "d/", "x/"]) ?? ""
      let name = pick(["a", "b", "m.txt", "n.txt", "o.txt", "p"]) ?? ""
      if isFree(folder + name, in: members) { return folder + name }
    }
    return nil
  }

  private func isFree(_ path: String, in members: Members) -> Bool {
    guard path != "zz" else { return false }
    return members.keys.allSatisfy {
      $0 != path && !$0.hasPrefix(path + "/")
        && (members[$0] == .folder || !path.hasPrefix($0 + "/"))
    }
  }

  // MARK: Changes

  private mutating func changed(_ members: Members, by side: String) -> Members {
    var members = members
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      change(&members, by: side)
      members.removeFilledFolders()
    }
    return members
  }

  private mutating func change(_ members: inout Members, by side: String) {
    let own = members.keys.filter { !$0.hasPrefix("zz/") }.sorted()
    let free = freePath(in: members)
    guard let path = pick(own) else {
      if let free { members[free] = newMember(by: side) }
      return
    }
    switch Int.random(in: 0..<16, using: &generator) {
    case 0, 1, 2: members[path] = edited(members[path], by: side)
    case 3: members[path] = nil
    case 4, 5, 6:
      guard let free else { return }
      members[free] = members.removeValue(forKey: path)
      if chance(3) { members[free] = edited(members[free], by: side) }
    case 7, 8: renameFolder(of: path, in: &members)
    case 9:
      guard case .file(let known)? = members[path] else { return }
      members[path] = file(known.identity, isExecutable: !known.isExecutable)
    case 10: members[path] = link(newLine(by: side))
    case 11:
      members[path] = nil
      members[path + "/in"] = newFile(by: side)
    case 12:
      guard copies, let free, let member = members[path] else { return }
      members[free] = member
    case 13: swap(path, in: &members, by: side)
    case 14:
      guard let other = pick(own), other != path, members[other] != .folder else { return }
      members[other] = members.removeValue(forKey: path)
    default:
      if let free { members[free] = newMember(by: side) }
    }
  }

  /// Gives a member the name of another one, and that one its name.
  private mutating func swap(_ path: String, in members: inout Members, by side: String) {
    let own = members.keys.filter { !$0.hasPrefix("zz/") && members[$0] != .folder }.sorted()
    guard let other = pick(own), members[path] != .folder else { return }
    (members[path], members[other]) = (members[other], members[path])
    if chance(3) { members[other] = edited(members[other], by: side) }
  }

  private mutating func renameFolder(of path: String, in members: inout Members) {
    guard let slash = path.firstIndex(of: "/"), let new = pick(["e", "f", "x/y"]) else { return }
    let old = path[..<slash] + "/"
    guard isFree(new, in: members) else { return }
    for key in members.keys where key.hasPrefix(old) {
      members[new + "/" + key.dropFirst(old.count)] = members.removeValue(forKey: key)
    }
  }
}

extension [String: PackageMember] {
  /// Folders with members need no entry.
  fileprivate mutating func removeFilledFolders() {
    self = filter { path, member in
      member != .folder || !keys.contains { $0.hasPrefix(path + "/") }
    }
  }

  /// The lines and link targets of all members, each with the paths that have it.
  var marks: [String: Set<String>] {
    var marks: [String: Set<String>] = [:]
    for (path, member) in self {
      switch member {
      case .file(let file):
        for line in file.identity.split(separator: "\n") {
          marks[String(line), default: []].insert(path)
        }
      case .symbolicLink(let target):
        marks[String(decoding: target, as: UTF8.self), default: []].insert(path)
      case .folder: break
      }
    }
    return marks
  }

  /// All members in a readable form.
  var told: String {
    keys.sorted().map { path in
      switch self[path] {
      case .file(let file):
        "\(path)\(file.isExecutable ? "*" : ""): \(file.identity.split(separator: "\n").joined(separator: " "))"
      case .symbolicLink(let target): "\(path) -> \(String(decoding: target, as: UTF8.self))"
      default: "\(path)/"
      }
    }.joined(separator: "\n")
  }
}
