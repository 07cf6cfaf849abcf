internal import Foundation

/// The author or device that the name of a conflicted copy gives.
///
/// | tool | name |
/// | --- | --- |
/// | Syncthing | `name.sync-conflict-20260821-101500-ABCDEFG.ext` |
/// | Nextcloud, ownCloud | `name (conflicted copy USER 2026-08-21 101500).ext`, user optional |
/// | Dropbox | `name (USER's conflicted copy 2026-08-21).ext` |
///
/// Names are translated and ambiguous, so they only supply these names, and never decide that a file is a copy.
struct ConflictedCopyName {
  /// The person; nil where the name has none.
  var author: String?
  /// The device; nil where the name has none.
  var device: String?

  init(_ name: String) {
    if let match = name.wholeMatch(
      of: Self.byScalars(/.*\.sync-conflict-\d{8}-\d{6}-([A-Z0-9]+).*/))
    {
      device = String(match.1)
    } else if let match = name.wholeMatch(
      of: Self.byScalars(/.*\((.+)['’]s conflicted copy .*\).*/))
    {
      author = String(match.1)
    } else if let match = name.wholeMatch(
      of: Self.byScalars(/.*\(conflicted copy (?:(.+) )?\d{4}-\d{2}-\d{2}.*\).*/))
    {
      author = match.1.map(String.init)
    }
  }

  /// A parenthesis and an accent are two signs here, and a name may have several lines.
  private static func byScalars<Match>(_ pattern: Regex<Match>) -> Regex<Match> {
    pattern.matchingSemantics(.unicodeScalar).dotMatchesNewlines()
  }
}
