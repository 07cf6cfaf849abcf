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
}
