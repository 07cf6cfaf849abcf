internal import DocumentVersions
internal import Foundation

/// How the program answers to signals.
enum Signals {
  static func prepare() {
    // Whoever reads the output may stop: what was begun is still done.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
  }
}

/// The arguments as the system handed them over.
enum RawArguments {
  /// Refuses an argument that is not UTF-8: Swift would repair it into the name of another file.
  static func check() throws {
    for argument in CommandLine.unsafeArgv.prefix(Int(CommandLine.argc)) {
      guard let argument, String(validatingCString: argument) == nil else { continue }
      let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      throw Failure(
        .refused, code: FileError.Code.invalidName.rawValue,
        "The name “\(Printable.text(bytes))” is not valid UTF-8; rename it first.",
        path: Printable.text(bytes))
    }
  }
}

extension UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  fileprivate func prefix(_ count: Int) -> UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
    UnsafeBufferPointer(start: self, count: count)
  }
}
