// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets: one for each parser of bytes that come from outside. A package of its own, because every module has
// to be built for libFuzzer. It compiles the library's sources through the link `Sources`, so that the targets see
// what is `package` there, and with `-enable-testing` what is internal.
//
// Build, then run one for five minutes:
//
//   cd Tests/Fuzz
//   swift build -c release --sanitize=fuzzer -Xswiftc -enable-testing
//   ./run.sh FuzzTree 300
//
// A trap leaves a file in `.build/crashes`, which the program takes as an argument to run it again. Once the fault is
// mended, the input goes to `Corpus` under a name that says what it is, and its reading into a test.
//
// A new format gets two folders in `Targets`, for its reading and for the merging of it, and their names below; what
// they check is in `Support`.
let merging: [Target.Dependency] = ["FuzzSupport", "DocumentMerge"]
let fuzzTargets: [(String, [Target.Dependency])] =
  [
    ("FuzzCommit", ["DocumentStore", "DocumentGit"]), ("FuzzTree", ["DocumentGit"]),
    ("FuzzConfig", ["DocumentStore", "DocumentGit", "CGit2"]),
    ("FuzzLooseObject", ["DocumentGit"]),
    ("FuzzPack", ["DocumentGit"]), ("FuzzLedger", ["DocumentStore"]),
    ("FuzzScenario", ["DocumentScenarios"]), ("FuzzMoment", ["DocumentStore"]),
    ("FuzzBinaryPropertyList", ["DocumentMerge"]), ("FuzzServer", ["DocumentTransport"]),
  ]
  // The reading of documents, and the merging of three.
  + [
    "FuzzBibliography", "FuzzCalendar", "FuzzGettext", "FuzzHTML", "FuzzJSON", "FuzzOpenStep",
    "FuzzPropertyList", "FuzzSet", "FuzzSettings", "FuzzTOML", "FuzzXML", "FuzzYAML",
    "FuzzBibliographyMerge",
    "FuzzCalendarMerge", "FuzzGettextMerge", "FuzzHTMLMerge", "FuzzJSONMerge", "FuzzNotebook",
    "FuzzProse", "FuzzPropertyListMerge", "FuzzSetMerge", "FuzzSettingsMerge", "FuzzTable",
    "FuzzTOMLMerge",
    "FuzzXMLMerge", "FuzzYAMLMerge",
  ].map { ($0, merging) }

let upcoming: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1")
  ],
  targets: [
    // Linked, unlike in the library itself, so that FuzzConfig can ask libgit2 what it reads.
    .target(name: "CGit2", linkerSettings: [.linkedLibrary("z"), .linkedLibrary("git2")]),
    .target(name: "CCurl"),
    .target(name: "CFileSystem"),
    .target(name: "CPCRE2", linkerSettings: [.linkedLibrary("pcre2-8")]),
    .target(name: "CSQLite"),
    .target(name: "CHash", linkerSettings: [.linkedLibrary("nettle")]),
    .target(
      name: "DocumentGit",
      dependencies: [
        "CGit2", "CHash", "DocumentFiles",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: upcoming),
    .target(name: "DocumentMerge", dependencies: ["CSQLite"], swiftSettings: upcoming),
    .target(
      name: "DocumentFiles",
      dependencies: [
        "CFileSystem", "CSQLite", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: upcoming),
    .target(
      name: "DocumentTransport", dependencies: ["CCurl", "DocumentFiles", "DocumentGit"],
      swiftSettings: upcoming),
    .target(
      name: "DocumentTypes",
      dependencies: ["DocumentFiles", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: upcoming),
    .target(
      name: "DocumentStore",
      dependencies: [
        "CHash", "CPCRE2", "DocumentGit", "DocumentFiles", "DocumentTypes", "DocumentMerge",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: upcoming),
    .target(
      name: "DocumentPresenting", dependencies: ["DocumentStore", "DocumentTypes"],
      swiftSettings: upcoming),
    .target(
      name: "DocumentCoordination",
      dependencies: [
        "DocumentPresenting", "DocumentStore", "DocumentFiles", "DocumentTypes",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: upcoming),
    .target(
      name: "DocumentConflicts",
      dependencies: ["DocumentStore", "DocumentMerge", "DocumentFiles", "DocumentTypes"],
      swiftSettings: upcoming),
    .target(
      name: "DocumentSync",
      dependencies: [
        "DocumentCoordination", "DocumentStore", "DocumentGit", "DocumentTransport",
        "DocumentFiles", "DocumentTypes",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: upcoming),
    .target(
      name: "DocumentLifecycle",
      dependencies: [
        "DocumentConflicts", "DocumentCoordination", "DocumentPresenting", "DocumentSync",
        "DocumentTransport", "DocumentStore", "DocumentFiles", "DocumentTypes",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: upcoming),
    .target(
      name: "DocumentContainers",
      dependencies: [
        "DocumentConflicts", "DocumentCoordination", "DocumentSync", "DocumentTransport",
        "DocumentStore", "DocumentGit", "DocumentMerge", "DocumentFiles", "DocumentTypes",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: upcoming),
    .target(
      name: "DocumentVersions",
      dependencies: [
        "DocumentStore", "DocumentSync", "DocumentTransport", "DocumentConflicts",
        "DocumentContainers", "DocumentCoordination", "DocumentPresenting", "DocumentLifecycle",
        "DocumentMerge", "DocumentFiles", "DocumentTypes",
      ],
      swiftSettings: upcoming),
    .target(
      name: "DocumentScenarios", dependencies: ["DocumentVersions"], swiftSettings: upcoming),
    .target(
      name: "FuzzSupport", dependencies: ["DocumentMerge"], path: "Support",
      swiftSettings: upcoming),
  ]
    + fuzzTargets.map { name, used in
      .executableTarget(
        name: name, dependencies: used, path: "Targets/\(name)",
        // libFuzzer brings its own main.
        swiftSettings: upcoming + [.unsafeFlags(["-parse-as-library"])])
    }
)
