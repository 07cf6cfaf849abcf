// Does what no command of the program did when the stores were made: adds contents to a history, marks a version as
// discardable, and takes a version's URL, which leaves a copy of it in the store's `checkouts`.
//
// Built as an executable target of the package at the commit that `make.py` names, with `DocumentVersions` as its
// dependency: `Extras DOCUMENT CONTENTS`.
import DocumentVersions
import Foundation

let arguments = CommandLine.arguments
let time = try Date(
  ProcessInfo.processInfo.environment["DOCVERSIONS_NOW"] ?? "", strategy: .iso8601)
let store = VersionStore(identity: Identity(author: "Mira", device: "mira-laptop")) { time }
let (document, contents) = (URL(filePath: arguments[1]), URL(filePath: arguments[2]))
_ = try FileVersion.add(to: document, contentsOf: contents, store: store)
guard let oldest = try store.history(of: document).versions.last else { exit(1) }
try oldest.setDiscardable(true)
guard try oldest.url != nil else { exit(1) }
VersionStore.waitForMaintenance()
