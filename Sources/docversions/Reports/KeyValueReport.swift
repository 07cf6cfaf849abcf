internal import DocumentVersions

/// A key and its value: `{"key", "value"}`; the value is null if it was removed.
struct KeyValueReport: Encodable {
  let key: String
  @Nullable var value: KeyValue?
}
