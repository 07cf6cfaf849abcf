extension ItemListing {
  /// The classes of users who can read all of the document.
  package var readership: Readership {
    let own = status.kind == .symbolicLink ? Readership.everyone : Readership(of: status)
    return (members ?? []).reduce(own) { $0.intersection($1.readership) }
  }
}
