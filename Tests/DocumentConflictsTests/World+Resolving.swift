import DocumentTestSupport
import DocumentVersions
import DocumentWorld

extension World {
  /// Returns a resolver for conflicts on a device, a minute after the previous step.
  func resolver(_ strategy: ResolutionStrategy, on device: String) -> ConflictResolver {
    clock.advance(bySeconds: 60)
    return ConflictResolver(strategy, store: VersionStore(store(device)))
  }
}
