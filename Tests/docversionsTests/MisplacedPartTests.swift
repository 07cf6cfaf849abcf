internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Foreign items in the place of a store's own files, which are reported, never followed or waited for, and
/// moved away by a repair.
@Suite(.blocks)
struct MisplacedPartTests {
  private static let parts = [
    "HEAD", "config", "lock", "ledger", "version-index", "working-file", "known-members",
    "known-chunks", "change-counts", "published", "lost-versions", "refs/heads/main",
    "objects/pack/*.idx", "quarantine", "backup",
  ]

  /// The items in its place, each created by a shell line.
  private static let things = [
    "mkfifo": "mkfifo", "folder": "mkdir", "folder with a file": "mkdir -m 755 $part; echo mine >",
    "link": "ln -s ../../../trip.md", "broken link": "ln -s nowhere",
  ]

  @Test(arguments: parts, things.keys.sorted())
  func `a repair moves it away, whole, and makes again what it was in the way of`(
    part: String, thing: String
  ) throws {
    let ownFolders = ["quarantine", "backup"]
    if ownFolders.contains(part), thing.hasPrefix("folder") { return }
    let program = try Program.withThreeVersions()
    let versions = try program.versions(of: "trip.md")
    let document = try program.documentStatus()
    let end = thing.hasSuffix("with a file") ? "$part/file" : "$part"
    let made = try program.shell(
      """
      set -e; cd .docversions/documents/trip.md.git; set -- \(part); part=$1; rm -rf "$part"
      \(Self.things[thing] ?? "") \(end)
      """)
    try #require(made.exitCode == 0, "\(made.errorOutput)")

    // A missing cache only costs time.
    let caches = ["version-index", "known-members", "known-chunks", "change-counts"]
    let isHarmless = caches.contains(part) && thing.hasPrefix("folder")
    let verified = try program.run("verify")
    #expect(verified.exitCode == (isHarmless ? 0 : 1))
    #expect(verified.output.contains(part.hasPrefix("objects") ? ".idx” is a" : "“\(part)”"))
    let plan = try program.run("doctor")
    #expect(plan.exitCode == 1, "\(plan.errorOutput)")
    let repair = try program.run("doctor", "--repair")
    #expect(repair.exitCode == 0, "\(repair.output)\(repair.errorOutput)")
    #expect(try program.run("verify").output.contains("  whole"))
    #expect(try program.run("doctor", "--repair").output == "trip.md  nothing to repair\n")
    #expect(try program.versions(of: "trip.md") == versions)
    #expect(try program.documentStatus() == document)
    // None has waited for the item in the place of the part.
    for result in [verified, plan, repair] { #expect(result.duration < .seconds(5)) }

    // By what it is, and what it holds.
    let kept = try program.shell(
      """
      cd .docversions/documents/trip.md.git
      find quarantine* -mindepth 2 -name '\(part.split(separator: "/").last ?? "")' -printf '%y\\n'
      find quarantine* -name file -exec cat {} +
      """
    ).output
    let kind = thing.hasSuffix("link") ? "l" : thing == "mkfifo" ? "p" : "d"
    #expect(kept == kind + "\n" + (end == "$part" ? "" : "mine\n"))
    try program.write("edited", to: "trip.md")
    #expect(try program.run("save", "trip.md").exitCode == 0)
  }

  @Test func `what has the store's lock in its place is reported as damage`() throws {
    let program = try Program.withThreeVersions()
    try program.removeFromStore("lock")
    try #require(program.shell("mkfifo .docversions/documents/trip.md.git/lock").exitCode == 0)
    try program.write("edited", to: "trip.md")
    let result = try program.run("save", "trip.md")
    #expect(result.exitCode == 6)
    #expect(result.errorOutput.contains("docversions verify trip.md"))
  }
}
