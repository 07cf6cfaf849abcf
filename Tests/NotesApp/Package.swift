// swift-tools-version: 6.2
import PackageDescription

// A small program with a document class, as a user of the library makes it: it sees only what is public. A package of its
// own, which a test builds and runs. From the project's folder:
//
//   swift run --package-path Tests/NotesApp notes ~/Notes
let package = Package(
  name: "notes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "docversions", path: "../..")],
  targets: [
    .executableTarget(
      name: "notes",
      dependencies: [.product(name: "DocumentVersions", package: "docversions")],
      path: "Sources")
  ]
)
