internal import ArgumentParser
internal import DocumentVersions

/// A type of document, as it was typed.
struct TypeArgument: ExpressibleByArgument {
  let kind: MergeEngines.Kind

  init?(argument: String) {
    guard let kind = MergeEngines.Kind(rawValue: argument) else { return nil }
    self.kind = kind
  }

  static var allValueStrings: [String] { MergeEngines.Kind.allCases.map(\.rawValue) }
}
