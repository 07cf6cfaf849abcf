public import Foundation

extension VersionStore {
  /// The version of a document that a selector means.
  ///
  /// The same as ``VersionSelector/version(in:now:timeZone:)`` finds in the whole history, but that is not listed where
  /// the version index knows the way. "Ago" counts from what ``clock`` says.
  ///
  /// - Parameters:
  ///   - selector: what was typed.
  ///   - document: the document.
  ///   - timeZone: where days begin; by default where the system is.
  /// - Throws: ``VersionError`` with code `noVersions`, `noSuchVersion`, `ambiguousVersion` or `invalidArgument`.
  public func version(
    _ selector: VersionSelector, of document: URL, timeZone: TimeZone? = nil
  ) throws -> FileVersion {
    let now = clock()
    if let place = selector.place(now: now, timeZone: timeZone),
      let found = try reading(document, { try $0.version(at: place, for: self) })
    {
      return found
    }
    return try selector.version(in: history(of: document), now: now, timeZone: timeZone)
  }
}
