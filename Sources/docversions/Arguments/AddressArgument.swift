internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// The address or the path of a git repository, in the forms that git accepts.
struct AddressArgument: ExpressibleByArgument {
  /// The address; for a path, that of the folder.
  let text: String

  init?(argument: String) {
    text = Self.path(in: argument).map(Self.address) ?? argument
  }

  /// Returns the argument as a path if it looks like one, or if it is a folder here and not an address with a
  /// host.
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
