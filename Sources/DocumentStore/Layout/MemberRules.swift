package import DocumentFiles

extension IgnoreRules {
  /// The rules that say what is no member of a document, should it be a package.
  package init(forMembersOf location: DocumentLocation) throws(FileError) {
    var rules = try IgnoreRules(.members, in: location.container)
    let names = location.path.pathNames()
    for (index, name) in names.enumerated() {
      // A list in a package is a member of it.
      rules = try rules.entering(Array(name.utf8), hasList: index < names.count - 1)
    }
    self = rules
  }
}
