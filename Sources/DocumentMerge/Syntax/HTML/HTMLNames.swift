/// The properties of elements in the HTML standard.
enum HTMLNames {
  /// Elements without content and end tag.
  static let void = names("area base br col embed hr img input link meta param source track wbr")
  /// Elements whose content has no markup except their end tag.
  static let raw = names("script style textarea title iframe xmp noembed noframes")
  /// Elements with an optional end tag.
  static let optional = names(
    "li dt dd p rt rp optgroup option colgroup caption thead tbody tfoot tr td th html head body")
  /// Elements within a line of text; all others are independent.
  static let inline = names(
    """
    a abbr acronym audio b bdi bdo big br button cite code data del dfn em embed font i iframe img input ins kbd label \
    map mark meter noscript object output picture progress q ruby rt rp s samp select slot small span strike strong \
    sub sup svg math textarea time tt u var video wbr
    """)
  /// Elements before which a paragraph ends.
  static let blocks = names(
    """
    address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 \
    header hgroup hr li dt dd main menu nav ol p pre search section summary table ul
    """)

  /// Returns the elements that another one ends by starting.
  static func ended(by name: String) -> Set<String> {
    var ended: Set<String> = blocks.contains(name) ? ["p"] : []
    switch name {
    case "li": ended.insert("li")
    case "dt", "dd": ended.formUnion(["dt", "dd"])
    case "option": ended.insert("option")
    case "optgroup": ended.formUnion(["option", "optgroup"])
    case "rt", "rp": ended.formUnion(["rt", "rp"])
    case "td", "th": ended.formUnion(["td", "th", "p"])
    case "tr": ended.formUnion(["td", "th", "tr", "p", "caption", "colgroup"])
    case "thead", "tbody", "tfoot":
      ended.formUnion(["td", "th", "tr", "thead", "tbody", "tfoot", "p", "caption", "colgroup"])
    case "body": ended.insert("head")
    default: break
    }
    return ended
  }

  private static func names(_ list: String) -> Set<String> {
    Set(list.split(separator: " ").map(String.init))
  }

  /// Returns a name in lowercase, as HTML compares names, which changes only ASCII letters.
  static func lowercased(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
