import DocumentTestSupport
import DocumentVersions
import DocumentWorld

extension World {
  /// What resolves conflicts on a device, a minute after what came before.
  func resolver(_ strategy: ResolutionStrategy, on device: String) -> ConflictResolver {
    clock.advance(bySeconds: 60)
    return ConflictResolver(strategy, store: VersionStore(store(device)))
  }
}
