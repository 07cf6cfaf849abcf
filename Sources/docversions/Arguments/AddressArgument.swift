internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// The address of a git repository, or the path of one, as git takes both.
struct AddressArgument: ExpressibleByArgument {
  /// The address; for a path, that of the folder.
  let text: String

  init?(argument: String) {
    text = Self.path(in: argument).map(Self.address) ?? argument
  }

  /// A path: what looks like one, and what is a folder here and no address with a host.
  private static func path(in argument: String) -> DocumentArgument? {
    let path = DocumentArgument(argument: argument)
    let looksLikeOne =
      [".", ".."].contains(argument)
      || ["/", "./", "../"].contains { argument.hasPrefix($0) }
    let isAddress = argument.utf8.contains(UInt8(ascii: ":"))
    return looksLikeOne || !isAddress && path?.isFolder == true ? path : nil
  }

  private static func address(of path: DocumentArgument) -> String {
    let place = path.url.absoluteURL.standardizedFileURL.path
    return URL(filePath: place, directoryHint: .notDirectory).absoluteString
  }

  static var defaultCompletionKind: CompletionKind { .directory }
}
