// swift-tools-version: 6.2
import PackageDescription

// How fast documents are saved and listed beside git, on the machine at hand. A package of its own, so that
// only benchmarks build it. From the project's folder:
//
//   swift build -c release --product docversions --static-swift-stdlib -debug-info-format none
//   swift run -c release --package-path Tests/Benchmarks benchmarks
//
// `--help` lists the options for lines, the number of runs and the program. With `--peer PATH` each line is compared
// with another build of the program instead of git, net of the start of both.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "docversions", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .systemLibrary(
      name: "Git2", path: "Git2", pkgConfig: "libgit2",
      providers: [.apt(["libgit2-dev", "nettle-dev"])]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Git2",
        .product(name: "DocumentVersions", package: "docversions"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources",
      // Swift's library is part of the program, as it is of docversions: calls into a shared one take longer.
      swiftSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))],
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))]),
  ]
)
