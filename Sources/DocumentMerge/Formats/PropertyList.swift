/// Property lists in XML, binary and text form.
extension DocumentFormat {
  static let propertyList = DocumentFormat(
    "plist", ["*.plist", "*.stringsdict", "*.entitlements", "*.xcprivacy"],
    identifiers: [
      "com.apple.property-list", "com.apple.xml-property-list", "com.apple.binary-property-list",
    ],
    kind: .plist, engine: { _ in PropertyListMergeEngine() },
    signature: { isPropertyList($0) },
    isReadByLines: false,
    checks: [LostNames(PropertyNames()), RenumberedKeys(.propertyList)])

  /// Localized strings of Apple's systems.
  static let appleStrings = DocumentFormat(
    "strings", ["*.strings"], kind: .plist,
    checks: [OutdatedTranslations(commentedLines), RenumberedKeys(.lines)])

  /// Xcode projects: objects by their identifiers.
  static let xcodeProject = DocumentFormat(
    "pbxproj", ["*.pbxproj"], kind: .plist, checks: [DoubledObjects()])
}

private func isPropertyList(_ contents: DocumentSample) -> Bool {
  BinaryPropertyListMerge.isBinary(contents.bytes)
    || (contents.head.contains("<!doctype plist") || contents.head.contains("<plist"))
      && contents.isXML
}

/// The identifiers of property lists, which other strings refer to.
private struct PropertyNames: NameReader {
  /// The key of the value that is being read.
  private var propertyKey: Substring = ""

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard let start = line.firstIndex(of: ">") else { return }
    let content = line[start...].dropFirst().prefix { $0 != "<" }
    if line[..<start].hasSuffix("<key") {
      propertyKey = content
      names.define(content)
    } else if ReferenceNames.namingKeys.contains(propertyKey) || propertyKey.hasSuffix("Identifier")
    {
      names.define(content)
      propertyKey = ""
    } else if content.count > 1, content.contains(where: { !$0.isNumber }),
      !content.contains(where: \.isWhitespace)
    {
      names.refer(to: content)
    }
  }
}

/// Translations in lines with a comment above them.
private func commentedLines(_ text: TextLines, into translations: inout Translations) {
  var comment = ""
  var isComment = false
  for number in 0..<text.count {
    let line = text.line(number).drop { $0 == " " || $0 == "\t" }
      .trimmingSuffix(while: \.isWhitespace)
    if isComment || line.hasPrefix("/*") || line.hasPrefix("//") {
      if !isComment { comment = "" }
      comment += line
      isComment = line.hasPrefix("//") ? false : !line.hasSuffix("*/")
    } else if let equals = line.firstPlace(of: "=") {
      let name = line[..<equals.lowerBound].trimmingSuffix { $0 == " " }
      translations.add(line[equals.upperBound...], of: comment, name: name)
      comment = ""
    } else if line.isEmpty {
      comment = ""
    }
  }
}
