import Foundation

/// Every public declaration of the project, as in its source.
enum PublicSurface {
  /// Returns a line for each declaration: the target, the type around it, and the declaration up to its body.
  static func lines(of files: [SourceMap.File]) -> [String] {
    files.flatMap { file in
      var reader = SurfaceReader(text: file.text)
      reader.read()
      return reader.found.map { "\(file.target): \($0)" }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns a line for each change, with a sign before it.
  static func difference(from old: [String], to new: [String]) -> [String] {
    new.difference(from: old).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
  }
}

/// Reads the public declarations of a file.
private struct SurfaceReader {
  /// A scope that a brace opened.
  private struct Scope {
    let name: String
    /// The keyword; nil for a body.
    let keyword: String?
    let isPublic: Bool
  }

  let text: SourceText
  private(set) var found: [String] = []
  private var scopes: [Scope] = []
  /// The type whose brace hasn't been read yet.
  private var next: Scope?
  /// The number of open parentheses and square brackets; lines inside them begin no declaration.
  private var depth = 0

  init(text: SourceText) {
    self.text = text
  }

  mutating func read() {
    for (number, line) in text.lines.enumerated() {
      let start = line.drop { $0 == " " }
      if depth == 0, scopes.last.map({ $0.keyword != nil }) ?? true,
        let declaration = Declaration(start)
      {
        take(declaration, start, number)
      }
      followBraces(of: line)
    }
  }

  private mutating func take(_ declaration: Declaration, _ start: Substring, _ number: Int) {
    let scope = scopes.last
    let isImplied =
      switch scope?.keyword {
      case "protocol"?: scope?.isPublic ?? false
      case "enum"?: (scope?.isPublic ?? false) && declaration.keyword == "case"
      case "extension"?: scope?.isPublic ?? false
      default: false
      }
    // Members of a hidden type are hidden, too.
    let isVisible = scopes.allSatisfy { $0.isPublic || $0.keyword == "extension" }
    let isPublic = isVisible && (declaration.isPublic || isImplied && !declaration.isHidden)
    let around = scopes.map(\.name).joined(separator: ".")
    if isPublic, declaration.keyword != "extension" {
      let signature = signature(from: start, number)
      found.append(around.isEmpty ? signature : "\(around): \(signature)")
    }
    if declaration.isType {
      next = Scope(name: declaration.name, keyword: declaration.keyword, isPublic: isPublic)
    }
  }

  /// Returns the declaration up to its body or its value, on one line.
  private func signature(from start: Substring, _ number: Int) -> String {
    var signature = ""
    // The value of a property isn't part of its surface; that of a type alias is.
    let isValue = start.contains("let ") || start.contains("var ")
    var depth = 0
    var line = start
    var number = number
    while true {
      for character in line {
        switch character {
        case "(", "[": depth += 1
        case ")", "]": depth -= 1
        case "{" where depth == 0: return Self.normalized(signature)
        case "=" where depth == 0 && isValue && signature.last == " ":
          return Self.normalized(signature)
        default: break
        }
        signature.append(character)
      }
      number += 1
      guard number < text.lines.count else { return Self.normalized(signature) }
      line = text.lines[number].drop { $0 == " " }
      let isContinued =
        ["->", "where ", "throws", "async", ":", ",", "&"].contains {
          line.hasPrefix($0)
        } || line == "{"
      let isOpen = depth > 0 || signature.hasSuffix(":") || signature.hasSuffix(",")
      guard isOpen || isContinued else { return Self.normalized(signature) }
      signature.append(" ")
    }
  }

  private static func normalized(_ signature: String) -> String {
    signature.split(separator: " ").filter {
      !$0.hasPrefix("@") || $0 == "@escaping" || $0 == "@Sendable"
    }
    .joined(separator: " ")
    .replacing("( ", with: "(").replacing(" )", with: ")")
  }

  private mutating func followBraces(of line: Substring) {
    for character in line.utf8 {
      switch character {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      case UInt8(ascii: "{"):
        scopes.append(next ?? Scope(name: "", keyword: nil, isPublic: false))
        next = nil
      case UInt8(ascii: "}"): _ = scopes.popLast()
      default: break
      }
    }
  }
}
