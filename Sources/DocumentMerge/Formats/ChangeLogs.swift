/// Change logs in markup and data, recognized by file names.
extension DocumentFormat {
  static let xmlChangeLog = xml.narrowed(
    "xml-change-log", names("xml"), adding: [ReleasedEntries(.markup)])
  static let yamlChangeLog = yaml.narrowed(
    "yaml-change-log", names("yml") + names("yaml"), adding: [ReleasedEntries(.data)])
  static let jsonChangeLog = json.narrowed(
    "json-change-log", names("json"), adding: [ReleasedEntries(.data)])
}

/// Returns the names of files that have change logs.
private func names(_ suffix: String) -> [String] {
  [
    "change", "news", "history", "release", "metainfo", "appdata", "whatsnew", "whats-new",
  ].map { "*\($0)*.\(suffix)" }
}
