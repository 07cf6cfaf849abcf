internal import ArgumentParser

extension CommandConfiguration {
  /// Makes the configuration of a command below `docversions`.
  init(subcommand name: String, abstract: String, discussion: String) {
    // A command that is parsed alone doesn't check for a request to write a completion script, which takes
    // longer than everything else.
    self.init(
      commandName: name, _superCommandName: "docversions", abstract: abstract,
      discussion: discussion)
  }
}
