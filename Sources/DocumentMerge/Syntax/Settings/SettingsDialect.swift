/// The forms of settings whose lines are keys with values.
enum SettingsDialect: Sendable, CaseIterable {
  /// Keys in sections: `[section]`, `key = value` or `key: value`.
  case sections
  /// The same, where a key may be there several times: units of systemd, and the configuration of git.
  case lists
  /// The same, where sections are patterns that may overlap, and the last one counts.
  case patterns
  /// Keys as Java writes them, which end with `=`, `:` or a space.
  case properties

  /// The form of files of a name; `nil` if they may have others.
  init?(fileName: String) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isEnvironment = name == ".env" || name.hasPrefix(".env.")
    switch parts.count > 1 ? parts.last.map(String.init) ?? "" : "" {
    case "properties": self = .properties
    case "editorconfig": self = .patterns
    case "ini", "desktop", "directory", "npmrc", "env", "pylintrc", "flake8",
      "coveragerc", "hgrc", "repo":
      self = .sections
    case "gitconfig", "gitmodules", "service", "socket", "timer", "mount", "automount", "slice",
      "network", "netdev", "nspawn":
      self = .lists
    case _ where isEnvironment || Self.names.contains(name): self = .sections
    default: return nil
    }
  }

  /// The names of files without a suffix that says it.
  private static let names: Set<String> = ["setup.cfg", "tox.ini", "mypy.ini", "pip.conf"]
}
