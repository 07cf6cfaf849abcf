public import Foundation

extension DocumentWrapper {
  /// A link.
  ///
  /// - Parameter url: where it leads; of a relative URL the relative path becomes the link's text, with a slash at
  ///   its end where it has one. It is never followed.
  public convenience init(symbolicLinkWithDestinationURL url: URL) {
    self.init(.symbolicLink(target: LinkTarget(url).bytes))
  }

  /// The URL to which a link leads.
  ///
  /// Its relative path is the link's text as it is: a “~” in it stands for no home folder.
  ///
  /// - Throws: ``FileError`` with code `wrong-kind` for what is no link.
  public var symbolicLinkDestinationURL: URL {
    get throws(FileError) {
      guard case .symbolicLink(let target) = content else { throw wrongKind("link") }
      return LinkTarget(target).url
    }
  }
}
