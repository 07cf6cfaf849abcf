public import DocumentVersions
public import Foundation
internal import NIOCore

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A page that shows the documents of a folder to the browsers of this machine.
///
/// ```swift
/// let page = try await DocumentPage(of: folder, port: 0)
/// open(page.address)
/// try await page.run()
/// ```
@MainActor
public final class DocumentPage {
  /// The address for a browser, with the secret that every request needs.
  public let address: String

  private let folder: PageFolder
  private let server: PageServer
  private let routes: PageRoutes

  /// Creates a page and starts to listen.
  ///
  /// - Parameters:
  ///   - folder: the folder, which must exist.
  ///   - port: the port of the loopback interface; 0 for a free one.
  ///   - store: the store that has the documents.
  /// - Throws: ``DocumentPageError`` if the port is taken.
  public init(of folder: URL, port: Int, store: VersionStore = VersionStore()) async throws {
    self.folder = PageFolder(folder, store: store)
    do { server = try await PageServer(port: port) } catch let error as IOError {
      throw DocumentPageError(
        message: error.errnoCode == EADDRINUSE
          ? "Port \(port) is taken by another program." : "Port \(port) can't be used: \(error)")
    }
    let admission = Admission(name: String(server.port))
    routes = PageRoutes(self.folder, admission: admission)
    address = "http://127.0.0.1:\(server.port)/?token=\(admission.token)"
  }

  /// Serves until the last page has been closed for a while, or the task is canceled; then saves all
  /// documents.
  ///
  /// - Parameters:
  ///   - first: the time to wait for the first page.
  ///   - patience: the time to wait for the next page after the last one was closed.
  /// - Throws: the error of a document that couldn't be saved.
  public func run(first: Duration = .seconds(600), patience: Duration = .seconds(30)) async throws {
    let (folder, server, routes) = (folder, server, routes)
    let work: [Task<Void, Never>] = [
      Task { await folder.follow() },
      // It ends when it is canceled below.
      Task { do { try await server.serve { await routes.answer($0) } } catch {} },
    ]
    // Canceled or not, the following steps are necessary.
    do { try await folder.waitForLastWindow(first: first, patience: patience) } catch {}
    folder.endWindows()
    let saving = Task { try await folder.closeAll() }
    let result = await saving.result
    for task in work { task.cancel() }
    try result.get()
  }
}

/// A page that can't be shown.
public struct DocumentPageError: Error, CustomStringConvertible {
  /// The sentence for a person.
  public let message: String

  /// The message.
  public var description: String { message }
}
