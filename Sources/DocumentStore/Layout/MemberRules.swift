package import DocumentFiles

extension IgnoreRules {
  /// Creates the rules for items that are not members of a document, if it is a package.
  package init(forMembersOf location: DocumentLocation) throws(FileError) {
    var rules = try IgnoreRules(.members, in: location.container)
    let names = location.path.pathNames()
    for (index, name) in names.enumerated() {
      // A list of rules in a package is a member of the package.
      rules = try rules.entering(Array(name.utf8), hasList: index < names.count - 1)
    }
    self = rules
  }
}
