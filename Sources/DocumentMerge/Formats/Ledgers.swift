/// Ledgers: accounts, which are opened once and named in postings.
extension DocumentFormat {
  static let ledger = DocumentFormat(
    "ledger", ["*.ledger", "*.journal", "*.hledger"], checks: ledgerChecks)

  static let ledgerChecks: [any MergeCheck] = [
    NamesOnce(LineEntries { line in AccountNames.opened(by: line).map { "account " + $0 } }),
    LostNames(AccountNames()),
  ]
}

/// The accounts of a ledger, which are opened once and named in postings.
struct AccountNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if let account = Self.opened(by: line) {
      names.define(account)
    } else if let account = Self.posted(by: line) {
      names.refer(to: account)
    } else if line.first?.isNumber ?? false {
      // Directives name accounts; texts in quotes may contain colons.
      let texts = line.split(separator: "\"", omittingEmptySubsequences: false)
      for text in texts.enumerated() where text.offset.isMultiple(of: 2) {
        for word in text.element.split(separator: " ") where word.has(":") { names.refer(to: word) }
      }
    }
  }

  /// Returns the account of a posting; `nil` for other lines.
  static func posted(by line: Substring) -> Substring? {
    guard line.first == " " || line.first == "\t" else { return nil }
    let text = line.drop { $0 == " " || $0 == "\t" }
    let end = text.firstPlace(of: "  ")?.lowerBound ?? text.firstIndex(of: "\t") ?? text.endIndex
    let account = text[..<end].drop { "!* ".contains($0) }
    return account.has(":") ? account : nil
  }

  /// Returns the account that a line opens; `nil` for other lines.
  static func opened(by line: Substring) -> Substring? {
    if line.hasPrefix("account ") { return line.dropFirst(8).trimmingSuffix { $0 == " " } }
    let words = line.split(separator: " ")
    guard words.count > 2, words[1] == "open", line.first?.isNumber ?? false else { return nil }
    return words[2]
  }
}
