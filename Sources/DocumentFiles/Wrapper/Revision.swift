/// A state of an item on disk, distinguished from all others by names and statuses, never by bytes.
///
/// Files differ by inode, date, size and permissions, links by their targets, and folders by their items. It
/// is a number, not a listing, because a wrapper keeps it for each place that it was written to, however
/// large the item is.
struct Revision: Hashable {
  private let digest: Int

  /// Creates the state of a listed item.
  ///
  /// - Parameter members: the states of its members, in their order.
  init(of item: ItemListing, members: [Revision]) {
    var hasher = Hasher()
    switch item.status.kind {
    case .folder:
      hasher.combine(0)
      hasher.combine(members.count)
      for (member, revision) in zip(item.members ?? [], members) {
        hasher.combine(member.name)
        hasher.combine(revision)
      }
    case .symbolicLink:
      hasher.combine(1)
      hasher.combine(item.linkTarget)
    case .file, .other:
      let status = item.status
      hasher.combine(2)
      hasher.combine(status.device)
      hasher.combine(status.inode)
      hasher.combine(status.size)
      hasher.combine(status.modified)
      hasher.combine(status.permissions)
    }
    digest = hasher.finalize()
  }
}

extension ItemListing {
  /// The state of the listed item.
  var revision: Revision { Revision(of: self, members: (members ?? []).map(\.revision)) }
}
