internal import ArgumentParser

extension CommandConfiguration {
  /// Makes the configuration of a command below `docversions`.
  init(subcommand name: String, abstract: String, discussion: String) {
    // Parsed alone, the command does not search for a request to write a completion script, which takes longer than all
    // the rest.
    self.init(
      commandName: name, _superCommandName: "docversions", abstract: abstract,
      discussion: discussion)
  }
}
