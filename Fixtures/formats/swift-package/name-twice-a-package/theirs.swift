let package = Package(
  dependencies: [
    .package(url: "https://a/a", from: "1.0.0"),
    .package(url: "https://a/x", from: "1.0.0"),
    .package(url: "https://a/n", from: "2.0.0"),
  ],
  targets: [
    .target(name: "A", dependencies: ["a"]),
    .target(name: "X"),
  ]
)
