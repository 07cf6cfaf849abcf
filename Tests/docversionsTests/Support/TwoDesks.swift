import DocumentTestSupport
import Foundation
import Testing

/// Two people whose folders sync through one repository.
struct TwoDesks {
  let mira: Program
  let tom: Program
  private let repository: ScratchFolder

  /// - Parameter mira: the folder of the first person.
  init(_ mira: Program) throws {
    self.mira = mira
    var tom = try Program()
    (tom.author, tom.device) = ("Tom", "toms-pc")
    self.tom = tom
    repository = try ScratchFolder()
    try #require(
      try Command.run("git", ["init", "-q", "--bare", repository.url.path]).exitCode == 0)
    for desk in [mira, tom] {
      try desk.run("container", "init", ".")
      try #require(
        try desk.run("remote", "add", "origin", repository.url.absoluteString).exitCode == 0)
    }
  }
}
