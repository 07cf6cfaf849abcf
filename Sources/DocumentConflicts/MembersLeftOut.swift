internal import DocumentFiles
internal import DocumentMerge
internal import DocumentStore

extension ResolutionStrategy {
  /// Returns the same strategy, with these members of the package left out of the result.
  ///
  /// - Parameter members: the path of each member, as its names.
  package func leavingOut(_ members: Set<[[UInt8]]>) -> ResolutionStrategy {
    guard !members.isEmpty else { return self }
    return ResolutionStrategy(name: name) { conflict in
      let verdict = try await decide(conflict)
      switch verdict {
      case .merged(let proposal, let reason):
        return .merged(proposal.leavingOut(members), because: reason)
      case .keep(let version, let reason):
        let contents = try await conflict.reading { try $0.contents(of: version) }
        let proposal = MergeProposal(
          bytes: nil, decisions: [], clashes: [], path: version.path, remembered: [],
          contents: contents, versions: Set(conflict.versions.map(\.id)), answers: [])
        return .merged(proposal.leavingOut(members), because: reason)
      case .undecided, .contents: return verdict
      }
    }
  }
}

extension MergeProposal {
  fileprivate func leavingOut(_ members: Set<[[UInt8]]>) -> MergeProposal {
    guard case .package(let entries) = contents else { return self }
    var proposal = self
    proposal.contents = .package(entries.filter { !members.contains($0.path) })
    return proposal
  }
}
