internal import DocumentVersions
internal import Foundation

/// A path that doesn't lead to a document.
enum MisplacedDocument {
  /// A folder that holds documents.
  case folder
  /// A member of a package, which has versions with the package.
  case member(of: DocumentArgument)

  /// Determines what the path leads to; `nil` if that may be a document.
  init?(_ document: DocumentArgument) {
    if Self.holdsDocuments(document.url) {
      self = .folder
    } else if let package = Self.package(around: document) {
      self = .member(of: package)
    } else {
      return nil
    }
  }

  /// Returns the package with versions that a path leads into; `nil` if there is none.
  static func package(around document: DocumentArgument) -> DocumentArgument? {
    guard !isContainer(document.url) else { return nil }
    var folder = URL(filePath: document.absolutePath).standardizedFileURL
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      if isContainer(folder) { return nil }
      if folder.isFolderNow, hasVersions(folder) { return DocumentArgument(folder) }
    }
    return nil
  }

  private static func isContainer(_ folder: URL) -> Bool {
    folder.appending(path: ".docversions").isFolderNow
  }

  private static func holdsDocuments(_ folder: URL) -> Bool {
    guard folder.isFolderNow, !hasVersions(folder) else { return false }
    if isContainer(folder) { return true }
    // This only affects a hint, which an unreadable folder doesn't get.
    do { return try SynchronousStore().documents(below: folder)?.isEmpty == false } catch {
      return false
    }
  }

  private static func hasVersions(_ document: URL) -> Bool {
    do {
      return try SynchronousStore().history(of: document, newest: 0).count > 0
    } catch {
      return false
    }
  }
}

extension CommandFailure {
  /// Explains an error about a path that isn't a document; `nil` for any other.
  init?(_ error: VersionError, misplaced document: DocumentArgument) {
    guard [.noVersions, .invalidArgument].contains(error.code),
      error.hint == nil || error.code == .noVersions,
      let place = MisplacedDocument(document)
    else { return nil }
    let name = error.document
    switch place {
    case .folder where error.code == .noVersions:
      self.init(
        .notFound, code: error.code.rawValue,
        "“\(name)” is a folder with documents, not a document.",
        hint: "List them:  docversions status \(document.word)", path: name)
    case .member(let package) where error.code == .noVersions:
      self.init(
        .notFound, code: error.code.rawValue,
        "“\(name)” is a member of “\(package.name)”, and its versions are kept there.",
        hint: "List them:  docversions log --stat \(package.word)", path: name)
    case .member(let package):
      self.init(
        .usage, code: error.code.rawValue, error.message,
        hint: "Save all of it:  docversions save \(package.word)", path: name)
    case .folder:
      return nil
    }
  }

  /// Explains that a document is on other devices only; `nil` for any other.
  init?(notDownloaded document: DocumentArgument) {
    guard document.isNotDownloaded else { return nil }
    self.init(
      .notFound, code: VersionError.Code.contentsNotLocal.rawValue,
      "“\(document.name)” is not on this device; others have it.",
      hint: "Get it:  docversions download \(document.word)", path: document.absolutePath)
  }

  /// Explains that a folder can't be saved; `nil` unless it holds documents.
  init?(_ error: FileError, misplaced document: DocumentArgument) {
    // In an exchange, the folder stands for documents without a location yet, and the error is about one of
    // these.
    let name = URL(filePath: document.absolutePath).standardizedFileURL.lastPathComponent
    guard error.code == .unsupportedKind,
      URL(filePath: error.path).lastPathComponent == Printable.text(name),
      case .folder = MisplacedDocument(document)
    else { return nil }
    self.init(
      .refused, code: error.code.rawValue, error.message,
      hint: ErrorRecovery.saveDocumentsInside.line(for: document.word),
      path: error.path)
  }
}

extension DocumentArgument {
  /// The last name of the path, for a person to read.
  fileprivate var name: String { Printable.text(url.lastPathComponent) }

  /// True if the document is listed and not on this device.
  var isNotDownloaded: Bool {
    // This only affects a message; an unreadable path isn't such a document.
    do { return try SynchronousStore().isOnlyListed(url) } catch { return false }
  }
}
