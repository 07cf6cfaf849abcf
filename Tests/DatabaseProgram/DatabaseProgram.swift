import DocumentDatabase
import Foundation
import GRDB

/// A program for tests: `DatabaseProgram FILE SQL` opens a document, writes to its database, reports that,
/// and waits to be killed.
@main
struct DatabaseProgram {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(2) }
    var environment = DocumentEnvironment()
    environment.store.types.add(
      DocumentType("org.example.contacts", filenameExtensions: ["contacts"], isPackage: true))
    let document = DatabaseDocument(
      fileURL: URL(filePath: arguments[1]), environment: environment)
    try await document.open()
    let sql = arguments[2]
    try await document.write { try $0.execute(sql: sql) }
    FileHandle.standardOutput.write(Data("written\n".utf8))
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
