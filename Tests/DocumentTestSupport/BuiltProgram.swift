public import Foundation

/// The program `docversions`, as built together with the tests.
public enum BuiltProgram {
  /// The location of the program, beside the tests.
  public static var url: URL { url(of: "docversions") }

  /// Returns the location of another program that was built with the tests.
  public static func url(of name: String) -> URL {
    let test = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    // On macOS the tests are inside a bundle.
    var folder = test.deletingLastPathComponent()
    while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
    return folder.appending(path: name)
  }
}
