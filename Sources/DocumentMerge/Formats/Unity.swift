/// Unity scenes, prefabs and other assets.
extension DocumentFormat {
  static let unity = DocumentFormat(
    "unity",
    [
      "*.unity", "*.prefab", "*.asset", "*.mat", "*.controller", "*.anim", "*.physicmaterial",
    ], checks: [NamesOnce(objects), LostNames(objects)])
}

private let objects = ObjectNames(
  definitions: [.init(kind: "fileID", start: "--- !u!", mark: " &")],
  references: [.init(kind: "fileID", mark: "{fileID:")])
