// swift-tools-version: 6.2
import PackageDescription

/// What is set for every Swift target: language mode 6, the upcoming features, no warnings.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
/// The settings of every Swift target but one.
let strict = common + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// libgit2 and zlib, behind one door. On Linux libgit2 is loaded when it is first used, and nothing is linked with it;
/// elsewhere pkg-config says where it is, which the package manager asks only for a system library.
#if os(Linux)
let git2: [Target] = [.target(name: "CGit2", linkerSettings: [.linkedLibrary("z")])]
#else
let git2: [Target] = [
  .systemLibrary(name: "CLibgit2", pkgConfig: "libgit2", providers: [.brew(["libgit2"])]),
  .target(name: "CGit2", dependencies: ["CLibgit2"], linkerSettings: [.linkedLibrary("z")]),
]
#endif

let package = Package(
  name: "docversions",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "DocumentVersions", targets: ["DocumentVersions"]),
    .library(name: "DocumentProgress", targets: ["DocumentProgress"]),
    .library(name: "DocumentDatabase", targets: ["DocumentDatabase"]),
    .executable(name: "docversions", targets: ["docversions"]),
    .executable(name: "docversions-page", targets: ["docversions-page"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: git2 + [
    // C: one door to each library.
    .target(name: "CCurl"),
    .target(name: "CFileSystem"),
    .target(name: "CHash", linkerSettings: [.linkedLibrary("nettle")]),
    .target(name: "CPCRE2", linkerSettings: [.linkedLibrary("pcre2-8")]),
    .target(name: "CSQLite"),

    // The library, lowest layer first.
    .target(name: "DocumentMerge", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(
      name: "DocumentFiles",
      dependencies: [
        "CFileSystem", "CSQLite", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "DocumentGit",
      dependencies: [
        "CGit2", "CHash", "DocumentFiles",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict + [.strictMemorySafety()]),
    .target(
      name: "DocumentTypes",
      dependencies: ["DocumentFiles", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: strict),
    .target(
      name: "DocumentStore",
      dependencies: [
        "CHash", "CPCRE2", "DocumentGit", "DocumentFiles", "DocumentTypes", "DocumentMerge",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    // Its calls are made where the presenter is isolated: a class of the main actor conforms as it stands.
    .target(
      name: "DocumentPresenting", dependencies: ["DocumentStore", "DocumentTypes"],
      swiftSettings: common),
    .target(
      name: "DocumentCoordination",
      dependencies: [
        "DocumentPresenting", "DocumentStore", "DocumentFiles", "DocumentTypes",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "DocumentTransport", dependencies: ["CCurl", "DocumentFiles", "DocumentGit"],
      swiftSettings: strict),
    .target(
      name: "DocumentSync",
      dependencies: [
        "DocumentCoordination", "DocumentStore", "DocumentGit", "DocumentTransport",
        "DocumentFiles", "DocumentTypes",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "DocumentConflicts",
      dependencies: ["DocumentStore", "DocumentMerge", "DocumentFiles", "DocumentTypes"],
      swiftSettings: strict),
    .target(
      name: "DocumentLifecycle",
      dependencies: [
        "DocumentConflicts", "DocumentCoordination", "DocumentPresenting", "DocumentSync",
        "DocumentTransport", "DocumentStore", "DocumentFiles", "DocumentTypes",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "DocumentContainers",
      dependencies: [
        "DocumentConflicts", "DocumentCoordination", "DocumentSync", "DocumentTransport",
        "DocumentStore", "DocumentGit", "DocumentMerge", "DocumentFiles",
        "DocumentTypes", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),
    .target(
      name: "DocumentVersions",
      dependencies: [
        "DocumentStore", "DocumentSync", "DocumentTransport", "DocumentConflicts",
        "DocumentContainers", "DocumentCoordination", "DocumentPresenting", "DocumentLifecycle",
        "DocumentMerge", "DocumentFiles", "DocumentTypes",
      ],
      swiftSettings: strict),

    // For apps that link Foundation's older half in any case.
    .target(name: "DocumentProgress", dependencies: ["DocumentStore"], swiftSettings: strict),

    // Documents that are databases, for apps that use GRDB: nothing else depends on it.
    .target(
      name: "DocumentDatabase",
      dependencies: [
        "CSQLite", "DocumentVersions", "DocumentLifecycle", "DocumentStore", "DocumentFiles",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: strict),

    // On top of it: conflict scenarios and the command line.
    .target(
      name: "DocumentScenarios", dependencies: ["DocumentVersions"], swiftSettings: strict),
    .executableTarget(
      name: "docversions",
      dependencies: [
        "DocumentVersions", "DocumentScenarios",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // The page of `docversions open`: a program of its own, so that no other command pays for a web server.
    .target(
      name: "DocumentPage",
      dependencies: [
        "DocumentVersions", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      resources: [.embedInCode("Resources")],
      // What it needs of the library is what any app gets.
      packageAccess: false, swiftSettings: common),
    .executableTarget(
      name: "docversions-page",
      dependencies: [
        "DocumentPage", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: common),

    // Tests, and what they share.
    .target(
      name: "DocumentTestSupport", dependencies: ["DocumentFiles"],
      path: "Tests/DocumentTestSupport", swiftSettings: strict),
    .target(
      name: "DocumentWorld",
      dependencies: ["DocumentStore", "DocumentSync", "DocumentFiles", "DocumentTestSupport"],
      path: "Tests/DocumentWorld", swiftSettings: strict),
    .testTarget(
      name: "DocumentGitTests",
      dependencies: ["DocumentGit", "CGit2", "CHash", "DocumentTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentMergeTests",
      dependencies: ["DocumentMerge", "DocumentGit", "CGit2", "DocumentTestSupport"],
      swiftSettings: strict, linkerSettings: [.linkedLibrary("git2")]),
    .testTarget(
      name: "DocumentFilesTests", dependencies: ["DocumentFiles", "DocumentTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentTypesTests",
      dependencies: ["DocumentTypes", "DocumentFiles", "DocumentTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentStoreTests",
      dependencies: [
        "DocumentStore", "DocumentSync", "DocumentTypes", "DocumentTestSupport", "DocumentWorld",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentSyncTests",
      dependencies: ["DocumentSync", "DocumentStore", "DocumentTestSupport", "DocumentWorld"],
      swiftSettings: strict),
    .testTarget(
      name: "RemoteTests",
      dependencies: [
        "DocumentStore", "DocumentSync", "DocumentTransport", "DocumentGit", "DocumentFiles",
        "DocumentTestSupport", "DocumentWorld", "docversions",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentConflictsTests",
      dependencies: ["DocumentVersions", "DocumentTestSupport", "DocumentWorld"],
      swiftSettings: strict),
    .executableTarget(
      name: "CoordinationProgram", dependencies: ["DocumentVersions", "DocumentTestSupport"],
      path: "Tests/CoordinationProgram", swiftSettings: strict),
    .testTarget(
      name: "DocumentCoordinationTests",
      dependencies: [
        "DocumentCoordination", "DocumentProgress", "DocumentVersions", "DocumentTestSupport",
        "CoordinationProgram",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "DocumentProgram", dependencies: ["DocumentVersions", "DocumentTestSupport"],
      path: "Tests/DocumentProgram", swiftSettings: strict),
    .testTarget(
      name: "DocumentLifecycleTests",
      dependencies: [
        "DocumentVersions", "DocumentTestSupport", "DocumentWorld", "DocumentProgram",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "DatabaseProgram", dependencies: ["DocumentDatabase"],
      path: "Tests/DatabaseProgram", swiftSettings: strict),
    .testTarget(
      name: "DocumentDatabaseTests",
      dependencies: ["DocumentDatabase", "DocumentTestSupport", "DatabaseProgram"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentContainersTests",
      dependencies: ["DocumentVersions", "DocumentTestSupport", "DocumentWorld"],
      exclude: ["Fixture"],
      swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "DocumentScenarios", "DocumentVersions", "DocumentTestSupport", "DocumentWorld",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OldStoresTests",
      dependencies: ["CHash", "DocumentVersions", "DocumentTestSupport"],
      exclude: ["Fixture"],
      swiftSettings: strict),
    .testTarget(
      name: "docversionsTests", dependencies: ["docversions", "DocumentTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PageTests",
      dependencies: [
        "DocumentPage", "DocumentVersions", "docversions", "docversions-page",
        "DocumentTestSupport",
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: common),
    .testTarget(
      name: "HostileTests",
      dependencies: [
        "docversions", "DocumentStore", "DocumentSync", "DocumentGit", "DocumentTestSupport",
        "DocumentWorld",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "WrapperProgram", dependencies: ["DocumentVersions"],
      path: "Tests/WrapperProgram", swiftSettings: strict),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "docversions", "DocumentVersions", "CFileSystem", "DocumentTestSupport", "DocumentWorld",
        "WrapperProgram", "DocumentProgram",
      ],
      exclude: ["Injector"],
      swiftSettings: strict),
    // The code of the articles, which sees what any app sees.
    .testTarget(
      name: "ArticleTests",
      dependencies: [
        "DocumentDatabase", "DocumentProgress", "DocumentVersions", "DocumentTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["DocumentTestSupport"],
      exclude: ["PublicSurface.txt"], swiftSettings: strict),
  ]
)
