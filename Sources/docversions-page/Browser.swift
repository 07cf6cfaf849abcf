internal import Foundation

/// The desktop's browser, opened with the page.
struct Browser {
  /// A file that leads to the page, because all users of a machine can see the arguments of programs, but
  /// only this user can read the file.
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

  /// Removes the file.
  func end() {
    // A file that can't be removed is no longer of use.
    do { try FileManager.default.removeItem(at: file) } catch {}
  }
}
