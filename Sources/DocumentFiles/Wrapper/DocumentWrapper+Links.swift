public import Foundation

extension DocumentWrapper {
  /// Creates a symbolic link.
  ///
  /// - Parameter url: the target. For a relative URL, the relative path becomes the link's text, including a final
  ///   slash. The link is never followed.
  public convenience init(symbolicLinkWithDestinationURL url: URL) {
    self.init(.symbolicLink(target: LinkTarget(url).bytes))
  }

  /// The target of a symbolic link.
  ///
  /// Its relative path is the link's exact text: a “~” doesn't mean a home folder.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` if the wrapper isn't a link.
  public var symbolicLinkDestinationURL: URL {
    get throws(FileError) {
      guard case .symbolicLink(let target) = content else { throw wrongKind("link") }
      return LinkTarget(target).url
    }
  }
}
