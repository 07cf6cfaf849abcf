internal import DocumentVersions
internal import Foundation

/// A file or folder that is left out: `{"file", "list", "rule"}`.
///
/// The path, the list of patterns or null, and the pattern in it or in the standard rules; `rule` is null if
/// no rule names the item.
struct IgnoredReport: Encodable {
  private enum CodingKeys: CodingKey {
    case file, list, rule
  }

  let file: String
  @Nullable var list: String?
  @Nullable var rule: String?
  let item: IgnoredItem

  init(_ item: IgnoredItem) {
    self.item = item
    file = item.url.absoluteURL.path
    list = item.rule?.list
    rule = item.rule?.pattern
  }
}
