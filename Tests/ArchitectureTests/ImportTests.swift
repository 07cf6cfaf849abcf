import DocumentTestSupport
import Foundation
import Testing

/// A test of the layers, which the package manager doesn't enforce: a target that imports a sibling without
/// depending on it builds as soon as the sibling happens to be built.
@Suite("Architecture")
struct ImportTests {
  /// The imports that each target may have in addition to the standard library.
  ///
  /// A new import is a decision, which is made here.
  private static let allowed: [String: Set<String>] = [
    // Merge engines: values in, outcome out. No git, no disk; SQLite in memory.
    "DocumentMerge": ["CSQLite", "Foundation"],
    // The file system. No git.
    "DocumentFiles": [
      "CFileSystem", "CSQLite", "SystemPackage", "Foundation", "Dispatch", "Synchronization",
      system,
    ],
    // Git, with libgit2 behind one door; its files lie in the file system.
    "DocumentGit": [
      "CGit2", "CHash", "DocumentFiles", "SystemPackage", "Dispatch", "Synchronization", system,
    ],
    // Connections to git servers, with libcurl behind one door. No documents.
    "DocumentTransport": ["CCurl", "DocumentGit", "DocumentFiles", "Foundation", system],
    // Types of documents, and the files that declare them.
    "DocumentTypes": ["DocumentFiles", "SystemPackage", "Foundation"],
    // Versions: git objects and files brought together; the merge knows how alike two contents are.
    "DocumentStore": [
      "DocumentGit", "DocumentFiles", "DocumentTypes", "DocumentMerge", "CHash", "CPCRE2",
      "SystemPackage", "Foundation", "Dispatch", "Synchronization", system,
    ],
    // What is shown to a person, and follows what others do to it.
    "DocumentPresenting": ["DocumentStore", "DocumentTypes", "Foundation"],
    // Accesses of programs to the same items. No git.
    "DocumentCoordination": [
      "DocumentPresenting", "DocumentStore", "DocumentTypes", "DocumentFiles", "SystemPackage",
      "Foundation", "Dispatch", "Synchronization", system,
    ],
    // The protocol between devices: what documents have, and peers that are git repositories.
    "DocumentSync": [
      "DocumentCoordination", "DocumentStore", "DocumentGit", "DocumentTransport", "DocumentFiles",
      "SystemPackage", "Foundation", "Synchronization", system,
    ],
    // Conflicts: versions and merge engines brought together. No git.
    "DocumentConflicts": [
      "DocumentStore", "DocumentMerge", "DocumentFiles", "DocumentTypes", "Foundation",
    ],
    // Documents that an app has open, which are downloaded first where they are not here. No git.
    "DocumentLifecycle": [
      "DocumentConflicts", "DocumentCoordination", "DocumentPresenting", "DocumentSync",
      "DocumentTransport", "DocumentStore", "DocumentFiles", "DocumentTypes", "SystemPackage",
      "Foundation", "Synchronization",
    ],
    // Folders of documents: queries over what is on disk and what a sync brings, settings, folders that are watched, and
    // conflicted copies, with what git and other tools keep of the documents there.
    "DocumentContainers": [
      "DocumentConflicts", "DocumentCoordination", "DocumentSync", "DocumentTransport",
      "DocumentStore", "DocumentGit", "DocumentMerge", "DocumentFiles", "DocumentTypes",
      "SystemPackage", "Foundation", "Synchronization",
    ],
    // The one import for users.
    "DocumentVersions": [
      "DocumentStore", "DocumentSync", "DocumentTransport", "DocumentConflicts",
      "DocumentContainers", "DocumentCoordination", "DocumentPresenting", "DocumentLifecycle",
      "DocumentMerge", "DocumentFiles", "DocumentTypes",
    ],
    // Foundation's progress, a product of its own.
    "DocumentProgress": ["DocumentStore", "Foundation"],
    // Documents that are databases, a product of its own: nothing else imports GRDB.
    "DocumentDatabase": [
      "DocumentVersions", "DocumentLifecycle", "DocumentStore", "DocumentFiles", "CSQLite", "GRDB",
      "SystemPackage", "Foundation", "Synchronization", system,
    ],
    // What stands on the library stands on the one import.
    "DocumentScenarios": ["DocumentVersions", "Foundation", "Synchronization"],
    // The page in the browser, an app like any other.
    "DocumentPage": [
      "DocumentVersions", "NIOCore", "NIOHTTP1", "NIOPosix", "Foundation", "Synchronization",
      system,
    ],
    "docversions-page": [
      "DocumentPage", "DocumentVersions", "ArgumentParser", "Foundation", system,
    ],
    "docversions": [
      "DocumentVersions", "DocumentScenarios", "ArgumentParser", "Foundation",
      "Synchronization", system,
    ],
  ]

  /// The system's C library, under its two names.
  private static let system = "the C library"

  @Test("Every target imports only what its layer allows")
  func imports() throws {
    var found = 0
    for (file, target) in try Project.swiftFiles() {
      let allowed = try #require(Self.allowed[target], "\(target) has no entry in the table")
      for module in try Project.imports(of: file) {
        found += 1
        let name = ["Glibc", "Darwin", "Musl"].contains(module) ? Self.system : module
        #expect(allowed.contains(name), "\(file.lastPathComponent) of \(target) imports \(module)")
      }
    }
    #expect(found > 50)
  }

  @Test("An import that the table does not know is found")
  func newEdge() {
    #expect(Project.imports(inText: "@_exported public import DocumentGit\n") == ["DocumentGit"])
    #expect(
      Project.imports(inText: "  internal import struct Foundation.Data // x\n") == ["Foundation"])
    #expect(Project.imports(inText: "import CGit2.Sub\n@testable import A\n") == ["CGit2", "A"])
    #expect(Project.imports(inText: "// import Nothing\nlet important = 1\n").isEmpty)
    #expect(Self.allowed["DocumentMerge"]?.contains("DocumentGit") == false)
  }

  @Test("The table names no target that is gone")
  func noStaleEntries() throws {
    let targets = Set(try Project.swiftFiles().map(\.target))
    #expect(targets == Set(Self.allowed.keys))
  }

  @Test("No C type leaves the git layer, and C is imported internally everywhere")
  func cStaysInside() throws {
    for (file, _) in try Project.swiftFiles() {
      let text = try String(contentsOf: file, encoding: .utf8)
      for module in ["CGit2", "CFileSystem", "CHash", "CPCRE2", "CSQLite"] {
        #expect(!text.contains("public import \(module)"), "\(file.lastPathComponent)")
        #expect(!text.contains("package import \(module)"), "\(file.lastPathComponent)")
      }
    }
  }

  @Test("A file is one idea: at most 400 lines")
  func fileLength() throws {
    for (file, _) in try Project.swiftFiles() {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count
      #expect(lines <= 400, "\(file.lastPathComponent) has \(lines) lines")
    }
  }

  @Test(
    "Sources hold nothing that hides a failure or stops the program",
    arguments: [
      "try!", "fatalError(", "TODO", "FIXME", "XXX", "preconditionFailure(", "@unchecked Sendable",
    ])
  func forbidden(text: String) throws {
    for (file, _) in try Project.swiftFiles() {
      let contents = try String(contentsOf: file, encoding: .utf8)
      #expect(!contents.contains(text), "\(file.lastPathComponent)")
    }
  }

  @Test("The library prints nothing and asks no environment")
  func libraryIsSilent() throws {
    for (file, target) in try Project.swiftFiles()
    where !target.hasPrefix("docversions") {
      let contents = try String(contentsOf: file, encoding: .utf8)
      for text in [
        "print(", "getenv(", "ProcessInfo.processInfo.environment", "NSHomeDirectory",
        "FileHandle.standard",
      ] {
        #expect(!contents.contains(text), "\(file.lastPathComponent) has \(text)")
      }
    }
  }

  @Test("The top level is what a visitor expects")
  func topLevel() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Project.root.path)
      .filter { !$0.hasPrefix(".") && $0 != "LICENSE" && $0 != "Package.resolved" }
    #expect(Set(names) == ["Package.swift", "Sources", "Tests", "Fixtures", "README.md"])
  }

  @Test("The Swift code of the texts is the code that a test runs, which sees only what is public")
  func swiftInTexts() throws {
    func swiftFiles(in folder: String, _ pathExtension: String) throws -> [URL] {
      try FileManager.default.contentsOfDirectory(
        at: Project.root.appending(path: folder), includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == pathExtension }
    }
    // Blanks don't count, because the formatter may break the lines of the test differently.
    func squeezed(_ text: some StringProtocol) -> String {
      String(text.filter { !$0.isWhitespace })
    }
    let tested = try swiftFiles(in: "Tests/ArticleTests", "swift")
      .map { squeezed(try String(contentsOf: $0, encoding: .utf8)) }.joined()
    let articles = try swiftFiles(in: "Sources/DocumentVersions/DocumentVersions.docc", "md")
    var checked: [String: Int] = [:]
    for file in articles + [Project.root.appending(path: "README.md")] {
      var isCode = false
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if line.hasPrefix("```") {
          isCode = line == "```swift"
        } else if isCode, !line.hasPrefix(".package(") {
          checked[file.lastPathComponent, default: 0] += 1
          // The test logs what the article prints.
          let shown = squeezed(line).replacing("print(", with: "log(")
          #expect(tested.contains(shown), "\(file.lastPathComponent): \(line)")
        }
      }
    }
    #expect(checked.count >= 12)
    #expect(checked.values.reduce(0, +) >= 170, "\(checked)")
  }
}
