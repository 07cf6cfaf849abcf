import DocumentFiles
import DocumentTestSupport
import DocumentTypes
import Foundation
import Testing

/// A test's own folder with a file that declares types.
struct DeclarationPlace {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// The `Info.plist` of an application.
  static let fixture = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().appending(path: "../../../Fixtures/types/Info.plist")
    .standardizedFileURL

  /// Writes a property list.
  func write(
    _ list: Any, format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws -> URL {
    try write(PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
  }

  func write(_ data: Data) throws -> URL {
    try data.write(to: scratch["Info.plist"])
    return scratch["Info.plist"]
  }

  /// The message with which a file is refused.
  func refusal(
    _ file: URL, _ code: FileError.Code = .damaged,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    var types = DocumentTypes()
    let error = expectFileError(code, sourceLocation: sourceLocation) {
      try types.add(declarationsIn: file)
    }
    #expect(types.declared.isEmpty, sourceLocation: sourceLocation)
    let message = error?.message ?? ""
    #expect(message.contains(file.path), sourceLocation: sourceLocation)
    return message
  }
}
