@testable import DocumentMerge

extension RandomJSON {
  /// The value as a property list in XML.
  func propertyList(_ style: Style) -> [UInt8] {
    let end = style.hasLines ? "\n" : ""
    func text(_ value: RandomJSON, _ depth: Int) -> String {
      let indent = style.indent(depth)
      func inner(_ name: String, _ parts: [String]) -> String {
        guard !parts.isEmpty else { return "\(indent)<\(name)/>\(end)" }
        return "\(indent)<\(name)>\(end)" + parts.joined() + "\(indent)</\(name)>\(end)"
      }
      switch value {
      case .leaf(let leaf): return indent + Self.element(leaf) + end
      case .list(let values): return inner("array", values.map { text($0, depth + 1) })
      case .object(let members):
        return inner(
          "dict",
          members.map {
            "\(style.indent(depth + 1))<key>\($0.key)</key>\(end)" + text($0.value, depth + 1)
          })
      }
    }
    return Array("<plist version=\"1.0\">\n\(text(self, 0))</plist>\n".utf8)
  }

  /// The value as a binary property list; empty if it cannot be one.
  var binaryPropertyList: [UInt8] {
    do {
      let tree = try PropertyListFormat().parse(propertyList(.two))
      return PropertyListValue(tree).map(BinaryPropertyListWriter.bytes) ?? []
    } catch { return [] }
  }

  private static func element(_ leaf: String) -> String {
    switch leaf {
    case "true": "<true/>"
    case "null": "<data>AA==</data>"
    case "1": "<integer>1</integer>"
    case "1.0", "-2e5": "<real>\(leaf)</real>"
    case _ where leaf.first == "\"": "<string>\(leaf.dropFirst().dropLast())</string>"
    default: "<integer>\(leaf)</integer>"
    }
  }

  /// The value as a property list in the form of OpenStep.
  func openStep(_ style: Style) -> [UInt8] {
    let (end, space) = (style.hasLines ? "\n" : "", style == .compact ? "" : " ")
    func text(_ value: RandomJSON, _ depth: Int) -> String {
      func inner(_ open: String, _ parts: [String], _ close: String) -> String {
        let lines = parts.map { "\(style.indent(depth + 1))\($0)\(end)" }
        return open + end + lines.joined() + style.indent(depth) + close
      }
      switch value {
      case .leaf("null"): return "<00>"
      case .leaf(let leaf): return leaf
      case .list(let values): return inner("(", values.map { text($0, depth + 1) + "," }, ")")
      case .object(let members):
        return inner(
          "{",
          members.map { "\"\($0.key)\"\(space)=\(space)\(text($0.value, depth + 1));" }, "}")
      }
    }
    return Array((text(self, 0) + "\n").utf8)
  }
}
