import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

extension RaceDesk {
  /// Checks that everything that was acknowledged is present and complete, and that stock git finds no fault.
  ///
  /// Processes share the working file, so a save may save contents that another process wrote a moment later.
  /// It must never save contents that are older than those of its own process, or that no process wrote.
  func expectNothingLost(
    refused: Int = 0, isLinear: Bool = true, location: SourceLocation = #_sourceLocation
  ) throws {
    let ledger = ledger.withLock { $0 }
    #expect(
      ledger.refusals.count == refused, "refused: \(ledger.refusals)", sourceLocation: location)
    let history = try SynchronousStore().history(of: document)
    let texts = try Dictionary(
      uniqueKeysWithValues: history.versions.filter(\.hasLocalContents).map {
        ($0.id.description, try text(of: $0))
      })
    for (id, text) in texts {
      #expect(
        ledger.texts[text] != nil, "version \(id) holds what no process wrote",
        sourceLocation: location
      )
    }
    for save in ledger.acknowledgements {
      let text = texts[save.version]
      #expect(text != nil, "version \(save.version) is missing", sourceLocation: location)
      if let placed = text.flatMap({ ledger.texts[$0] }) {
        #expect(
          placed >= save.written, "version \(save.version) is older than what was to be saved",
          sourceLocation: location)
      }
    }
    let new = ledger.acknowledgements.filter(\.isNew).map(\.version)
    #expect(Set(new).count == new.count, "one version is new twice", sourceLocation: location)
    expectWholeHistory(history, isLinear: isLinear, location)
    try expectSoundStores(location)
  }

  /// Checks that a history has one beginning and no gap, and that every end is listed as a conflict.
  private func expectWholeHistory(
    _ history: DocumentHistory, isLinear: Bool, _ location: SourceLocation
  ) {
    let ids = Set(history.versions.map(\.id))
    let parents = Set(history.versions.flatMap(\.parents))
    #expect(parents.isSubset(of: ids), "a parent is missing", sourceLocation: location)
    #expect(
      history.versions.count { $0.parents.isEmpty } == 1, "not one beginning",
      sourceLocation: location)
    let ends = ids.subtracting(parents)
    let open = Set(history.unresolvedConflicts.map(\.id)).union(
      [history.current?.id].compactMap(\.self))
    #expect(ends == open, "an end is not listed as a conflict", sourceLocation: location)
    if isLinear { #expect(ends.count == 1, "the history forks", sourceLocation: location) }
  }

  /// Checks every store with stock git, and that no temporary files are left.
  func expectSoundStores(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try GitCheck.problems(inContainer: container).isEmpty, sourceLocation: location)
    let names = try FileManager.default.subpathsOfDirectory(atPath: container.path)
    let litter = names.filter(Litter.isLitter)
    #expect(litter.isEmpty, "left behind: \(litter)", sourceLocation: location)
  }

  /// Checks a few versions with the program itself, from the outside.
  func expectShown(_ count: Int) throws {
    let versions = try SynchronousStore().history(of: document).versions
    for version in versions.prefix(count) {
      let member = isPackage ? ":\(Self.members[0])" : ""
      let end = try run("show", document.path, "\(version.id)\(member)")
      #expect(end.exitCode == 0, "\(end.errorOutput)")
      #expect(try end.output == text(of: version))
    }
  }

  /// Returns the text of a version; for a package, the one text that all members have.
  func text(of version: FileVersion) throws -> String {
    let store = SynchronousStore()
    guard version.isPackage else {
      return String(decoding: try store.contents(of: version, member: nil), as: UTF8.self)
    }
    let texts = try Set(
      Self.members.map {
        String(decoding: try store.contents(of: version, member: $0), as: UTF8.self)
      })
    return texts.count == 1 ? texts.first ?? "" : "a mixture of \(texts.count) texts"
  }
}
