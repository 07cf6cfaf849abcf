internal import DocumentVersions
internal import Foundation

/// The person's name in git's settings, read without starting git.
enum GitSettings {
  /// The name that git gives to commits; `nil` if none is set.
  static var userName: String? {
    guard let home = Settings.variable("HOME") else { return nil }
    let folder = Settings.variable("XDG_CONFIG_HOME") ?? home + "/.config"
    // The later file counts, as for git.
    return userName(in: home + "/.gitconfig") ?? userName(in: folder + "/git/config")
  }

  private static func userName(in path: String) -> String? {
    let text: String
    // A missing or unreadable file has no settings.
    do { text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) } catch {
      return nil
    }
    var isUser = false
    var name: String?
    for line in text.split(whereSeparator: \.isNewline).map({ String($0).trimmingBlanks() }) {
      if line.hasPrefix("[") {
        isUser = line.lowercased().hasPrefix("[user]")
      } else if isUser, let equals = line.firstIndex(of: "="),
        line[..<equals].lowercased().filter({ !$0.isWhitespace }) == "name"
      {
        let value = String(line[line.index(after: equals)...]).trimmingBlanks()
        name = value.filter { $0 != "\"" }
      }
    }
    return name.flatMap { $0.isEmpty ? nil : $0 }
  }
}
