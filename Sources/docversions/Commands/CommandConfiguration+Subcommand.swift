internal import ArgumentParser

extension CommandConfiguration {
  /// How a command below `docversions` is called and told of.
  init(subcommand name: String, abstract: String, discussion: String) {
    // Parsed alone, it looks for no request to write a script for a shell's completion: that takes longer than all
    // the rest.
    self.init(
      commandName: name, _superCommandName: "docversions", abstract: abstract,
      discussion: discussion)
  }
}
