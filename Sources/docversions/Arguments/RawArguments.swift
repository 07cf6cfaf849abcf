internal import DocumentVersions
internal import Foundation

/// The arguments as the system handed them over.
enum RawArguments {
  /// Refuses an argument that isn't UTF-8, because Swift would repair it into the name of another file.
  static func check() throws {
    guard CommandLine.argc > 0 else {
      throw CommandFailure(
        .internalError, code: "system",
        "The arguments can’t be read; is /proc mounted, and may files be opened?")
    }
    var former: [String] = []
    for argument in CommandLine.unsafeArgv.prefix(Int(CommandLine.argc)) {
      guard let argument else { continue }
      if let text = String(validatingCString: argument) {
        former.append(text)
        continue
      }
      let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      let shown = Printable.text(bytes)
      if let note = note(shown, after: former) {
        throw CommandFailure(.usage, code: "usage", "The note “\(note)” is not valid UTF-8.")
      }
      throw CommandFailure.invalidName(shown)
    }
  }

  /// Returns the note in an argument; `nil` if there is none.
  private static func note(_ argument: String, after former: [String]) -> String? {
    let start = "--message="
    guard former.dropFirst().first == "save", !former.contains("--") else { return nil }
    if ["-m", "--message"].contains(former.last) { return argument }
    if argument.hasPrefix(start) { return String(argument.dropFirst(start.count)) }
    return argument.hasPrefix("-m") ? String(argument.dropFirst(2)) : nil
  }
}

extension UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  fileprivate func prefix(_ count: Int) -> UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
    UnsafeBufferPointer(start: self, count: count)
  }
}
