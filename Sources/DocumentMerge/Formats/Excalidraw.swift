/// Excalidraw drawings, which mark elements as deleted.
extension DocumentFormat {
  static let excalidraw = DocumentFormat(
    "excalidraw", ["*.excalidraw"], kind: .json,
    checks: json.checks.filter { $0 is LostNames || $0 is MixedPairs } + [DeletedRecords()])
}
