internal import Foundation

/// The browser of the desktop, asked to open the page.
struct Browser {
  /// A file that leads to the page: every user of a machine sees the arguments of programs, but only this user the file.
  private let file: URL

  /// Opens an address; if no browser can be started, the user opens it.
  static func open(_ address: String) throws -> Browser? {
    guard
      let opener = ["/usr/bin/xdg-open", "/usr/bin/open"].first(
        where: FileManager.default.isExecutableFile)
    else {
      print("There is no xdg-open here: open the address in a browser.")
      return nil
    }
    let file = FileManager.default.temporaryDirectory
      .appending(path: "docversions-\(UUID().uuidString).html")
    let page =
      #"<!doctype html><meta http-equiv="refresh" content="0;url=\#(address)"><title>docversions</title>"#
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
    else {
      print("The browser could not be started: open the address in it.")
      return nil
    }
    let process = Process()
    process.executableURL = URL(filePath: opener)
    process.arguments = [file.path]
    do { try process.run() } catch {
      print("The browser could not be started: open the address in it.")
    }
    return Browser(file: file)
  }

  /// Removes what was made for it.
  func end() {
    // It is of no use any more, also if it can't be removed.
    do { try FileManager.default.removeItem(at: file) } catch {}
  }
}
