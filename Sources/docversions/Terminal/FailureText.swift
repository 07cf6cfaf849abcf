internal import DocumentVersions
internal import Foundation

extension CommandFailure {
  /// Creates the failure for an error of the library.
  ///
  /// - Parameter document: the document as the user typed it, for hints that can be pasted.
  init(_ error: any Error, in document: DocumentArgument? = nil) {
    switch error {
    case let failure as CommandFailure:
      self = failure
    case let error as VersionError:
      if let document, let failure = CommandFailure(error, misplaced: document) {
        self = failure
        return
      }
      // The path that the user typed or would type distinguishes several with one name.
      let name = error.document.split(separator: "/").last.map(String.init) ?? error.document
      let message =
        document.map {
          $0.shown.hasSuffix("/\(name)")
            ? error.message.replacing("“\(name)”", with: "“\($0.shown)”") : error.message
        } ?? error.message
      self.init(
        // Contents that another exchange brings aren't missing.
        error.recovery == .exchangeAgain && error.code == .contentsNotLocal
          ? .tryAgain : error.code.status, code: error.code.rawValue, message,
        hint: Self.hint(error, in: document), path: error.document)
    case let error as FileError:
      if error.code == .notFound, let document,
        let failure = CommandFailure(notDownloaded: document)
      {
        self = failure
        return
      }
      if let document, let failure = CommandFailure(error, misplaced: document) {
        self = failure
        return
      }
      if error.code == .noSpace {
        // The name of the temporary file that was being written doesn't help a person.
        let place = document?.shown ?? URL(filePath: error.path).folderOfDocuments
        let reason = String(cString: strerror(error.systemError ?? ENOSPC))
        self.init(
          .refused, code: error.code.rawValue,
          "“\(Printable.text(place))” can’t be written: \(reason).",
          hint: "Free some, and try again.", path: URL(filePath: error.path).folderOfDocuments)
        return
      }
      self.init(
        error.code.status, code: error.code.rawValue, error.message,
        hint: error.recovery?.line(
          for: document?.word ?? ShellWord.path(URL(filePath: error.path).lastPathComponent))
          ?? error.hint ?? Self.readOnlyHint(error), path: error.path)
    case let error as CoordinationError:
      self.init(
        error.code.status, code: error.code.rawValue, error.message,
        hint: error.recovery == nil
          ? nil : "See who has it open:  docversions presenters \(document?.word ?? "")",
        path: error.item.path)
    case let error as MergeError:
      self.init(error.code.status, code: error.code.rawValue, error.message)
    case let error as KeyValueStoreError:
      self.init(error.code.status, code: error.code.rawValue, error.message)
    case is CancellationError:
      self.init(Signals.status, code: "interrupted", "interrupted; no document is half changed")
    default:
      guard let (path, cause) = (error as? CocoaError)?.refusal else {
        self.init(.internalError, code: "internal", "Something unforeseen happened: \(error)")
        return
      }
      self.init(
        .refused, code: FileError.Code.system.rawValue, "“\(path)” can’t be used: \(cause).",
        path: path)
    }
  }

  /// Returns the line or the sentence with the next step after an error.
  private static func hint(_ error: VersionError, in document: DocumentArgument?) -> String? {
    let line =
      error.recovery?.line(for: document?.word ?? ShellWord.path(error.document)) ?? error.hint
    // The cause of damage is more specific than the code.
    if error.code == .damaged || error.recovery == .exchangeAgain, let line { return line }
    return document.flatMap { error.code.hint(for: $0) } ?? line
  }

  /// Returns what is possible with documents on a disk that can only be read; nil for any other failure.
  private static func readOnlyHint(_ error: FileError) -> String? {
    guard error.systemError == EROFS,
      URL(filePath: error.path).appending(path: StoresFolder.name).isThere
    else { return nil }
    return "Its disk can only be read: status, find, log, show, diff, conflicts and verify work."
  }

  /// Returns whether an error comes from a command or the library, and not from the parser.
  static func isKnown(_ error: any Error) -> Bool {
    error is CommandFailure || error is VersionError || error is FileError || error is MergeError
      || error is CoordinationError || error is KeyValueStoreError || error is CancellationError
  }

  /// Writes the failure to standard error, for a person or for a program.
  func report(isJSON: Bool) {
    if isJSON {
      // If that fails, plain words are better than nothing.
      do { return Console.complain(try JSON.text(FailureAnswer(self))) } catch {}
    }
    let word = Console.isErrorTerminal ? "error:".asError : "error:"
    let start = isInterruption ? "" : "\(word) "
    Console.complain("\(start)\(Printable.text(message))")
    if let hint { Console.complain("  \(Printable.text(hint))") }
    if let details, !details.isEmpty { Console.complain(details) }
  }
}

extension CoordinationError.Code {
  fileprivate var status: ExitStatus {
    switch self {
    case .busy, .unanswered, .refused: .tryAgain
    case .cancelled: .interrupted
    case .noSockets: .refused
    default: .usage
    }
  }
}

extension VersionError.Code {
  fileprivate var status: ExitStatus {
    switch self {
    case .noVersions, .noSuchVersion, .ambiguousVersion, .noSuchMember, .contentsNotLocal: .notFound
    case .currentVersion, .pinnedVersion, .nothingToUndo, .cannotUnset, .invalidArgument: .usage
    case .unresolvedConflict: .conflictsRemain
    case .changedMeanwhile, .notArrived, .databaseInUse, .newerElsewhere: .tryAgain
    case .remoteUnreachable: .tryAgain
    case .remoteRefused: .remoteRefused
    case .bringsRepository, .foreignContainer, .emptied, .onlyHere: .refused
    case .damaged, .damagedExchange: .damaged
    case .system: .refused
    }
  }

  fileprivate func hint(for document: DocumentArgument) -> String? {
    switch self {
    case .noVersions: "Save the first:  docversions save \(document.word)"
    case .noSuchVersion: "List them:  docversions log \(document.word)"
    case .unresolvedConflict: "Look at it:  docversions conflicts \(document.word)"
    case .damaged: "Look closer:  docversions verify \(document.word)"
    default: nil
    }
  }
}

extension FileError.Code {
  fileprivate var status: ExitStatus {
    switch self {
    case .notFound: .notFound
    case .changing, .busy: .tryAgain
    default: .refused
    }
  }
}

extension KeyValueStoreError.Code {
  fileprivate var status: ExitStatus { self == .damaged ? .damaged : .refused }
}

extension MergeError.Code {
  fileprivate var status: ExitStatus {
    switch self {
    case .tooLarge, .tooDeep, .programFailed: .refused
    case .invalidPath, .invalidPackage: .damaged
    default: .internalError
    }
  }
}

extension URL {
  /// The path of the folder whose `.docversions` contains this path; else the path itself.
  fileprivate var folderOfDocuments: String {
    let parts = path.components(separatedBy: "/\(StoresFolder.name)")
    return parts.count > 1 ? parts[0] : path
  }
}
