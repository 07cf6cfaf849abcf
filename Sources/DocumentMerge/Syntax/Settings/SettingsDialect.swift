/// The forms of settings with a key and a value on each line.
enum SettingsDialect: Sendable, CaseIterable {
  /// Keys in sections: `[section]`, `key = value` or `key: value`.
  case sections
  /// The same, if keys may occur several times: systemd units, and git configuration.
  case lists
  /// The same, if sections are patterns that may overlap, and the last one applies.
  case patterns
  /// Java properties, whose keys end with `=`, `:` or a space.
  case properties
}
