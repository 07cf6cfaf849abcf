package import DocumentMerge
package import DocumentStore
package import DocumentTypes

/// Merges contents that aren't versions yet, to preview the result of a conflict between them.
package struct ContentsPreview {
  private let path: String
  private let engines: MergeEngines

  /// - Parameters:
  ///   - path: the document's path or name, which determines the engine.
  ///   - engines: the engines that merge files.
  ///   - types: the types that are declared for the document's folder.
  package init(path: String, engines: MergeEngines, types: DocumentTypes) {
    self.path = path
    self.engines = engines.declaring(types)
  }

  /// Merges two contents.
  ///
  /// - Parameters:
  ///   - base: the contents that both are based on; `nil` if they aren't known.
  ///   - labels: the names of both sides in the decisions.
  /// - Returns: the merged contents, the decisions, and the open questions.
  package func merge(
    base: VersionContents?, ours: VersionContents, theirs: VersionContents, labels: MergeLabels
  ) throws -> (contents: VersionContents, decisions: [MergeDecision], questions: [MergeDecision]) {
    func document(_ contents: VersionContents) -> MergedDocument {
      MergedDocument(contents: contents, path: path)
    }
    let step = try VersionMergeStep(
      base: base.map { .known(document($0)) } ?? .none, ours: document(ours),
      theirs: document(theirs), engines: engines, labels: labels)
    let result = try step.result()
    return (
      result.document.contents, result.decisions, result.decisions.filter { $0.kind == .clash }
    )
  }
}

extension VersionContents {
  /// Returns whether both are identical.
  package func hasSameContents(as other: VersionContents) throws -> Bool {
    try isSame(as: other)
  }
}

extension MergeEngines {
  /// Returns the same engines, with declared types added.
  func declaring(_ types: DocumentTypes) -> MergeEngines {
    var engines = self
    let declared = engines.declaredKind
    engines.declaredKind = { fileName in
      declared(fileName)
        ?? types.identifiers(forName: fileName).flatMap(MergeEngines.Kind.init(conformingTo:))
    }
    return engines
  }
}
