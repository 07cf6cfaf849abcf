let package = Package(
  dependencies: [
    .package(url: "https://a/a", from: "1.0.0"),
    .package(url: "https://a/x", from: "1.0.0"),
  ],
  products: [
    .library(name: "N", targets: ["N"]),
  ],
  targets: [
    .target(name: "A", dependencies: ["a"]),
    .target(name: "X"),
  ]
)
