import Foundation
import Testing

/// The declarations that other packages can see are recorded, so that a review shows every change of them.
@Suite("Public surface")
struct PublicSurfaceTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "PublicSurface.txt")

  /// `DOCVERSIONS_WRITE_PUBLIC_SURFACE=1 swift test --filter PublicSurfaceTests` rewrites the file.
  private static let isWriting =
    ProcessInfo.processInfo.environment["DOCVERSIONS_WRITE_PUBLIC_SURFACE"] != nil

  @Test("The public declarations are those of PublicSurface.txt")
  func surface() throws {
    let found = PublicSurface.lines(of: try SourceMap.project.get().files)
    if Self.isWriting {
      try Data(found.map { "\($0)\n" }.joined().utf8).write(to: Self.file)
      return
    }
    let written = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let difference = PublicSurface.difference(from: written, to: found)
    #expect(
      difference.isEmpty,
      """
      The public surface changed:
      \(difference.joined(separator: "\n"))
      If that is meant, write it down:
      DOCVERSIONS_WRITE_PUBLIC_SURFACE=1 swift test --filter PublicSurfaceTests
      """)
    #expect(found.count > 100)
  }

  @Test("Every public type has its place among the topics of the documentation")
  func topics() throws {
    let library = Project.root.appending(path: "Sources/DocumentVersions")
    let modules = Set(try Project.imports(of: library.appending(path: "Exports.swift")))
    let page = try String(
      contentsOf: library.appending(path: "DocumentVersions.docc/DocumentVersions.md"),
      encoding: .utf8)
    let declaration = /^(\w+): (?:public|open) (?:final )?(?:struct|enum|class|protocol) (\w+)/
    let types = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
      .split(separator: "\n").compactMap { line -> Substring? in
        guard let match = line.firstMatch(of: declaration), modules.contains(String(match.1)) else {
          return nil
        }
        return match.2
      }
    #expect(types.count > 50)
    #expect(types.filter { !page.contains("\n- ``\($0)``\n") } == [])
  }

  @Test("Every kind of public declaration is found, and nothing else")
  func kinds() {
    let text = """
      /// public struct Nothing {}
      public struct Store<Value>: Sendable
      where Value: Sendable {
        public static let name = "public let none"
        public internal(set) var count = 0, other = 1
        public var isEmpty: Bool { count == 0 }
        var hidden: Int { let public = 1; return public }
        @discardableResult
        public func save(
          _ value: Value, at time: Int = 3
        ) throws -> Int
        {
          func inner() {}
          return 1
        }
        public static func == (left: Self, right: Self) -> Bool { true }
        public enum Kind: String {
          case one = "1", two
          indirect case three(Int)
          static let none = Kind.one
          public init?(_ text: String) { switch text { case "": return nil; default: self = .one } }
        }
        package struct Inner { public let value: Int }
        enum Hidden { case none }
      }
      public protocol Named: AnyObject {
        var name: String { get }
        func rename(to name: String)
      }
      extension Store: Equatable {
        public subscript(index: Int) -> Int { 0 }
      }
      public typealias Stores = [Store<Int>]

      """
    let lines = PublicSurface.lines(of: SourceMap(["A/a.swift": text]).files)
    #expect(
      lines == [
        "A: Named: func rename(to name: String)",
        "A: Named: var name: String",
        "A: Store.Kind: case one = \"\", two",
        "A: Store.Kind: indirect case three(Int)",
        "A: Store.Kind: public init?(_ text: String)",
        "A: Store: public enum Kind: String",
        "A: Store: public func save(_ value: Value, at time: Int = 3) throws -> Int",
        "A: Store: public internal(set) var count",
        "A: Store: public static func == (left: Self, right: Self) -> Bool",
        "A: Store: public static let name",
        "A: Store: public subscript(index: Int) -> Int",
        "A: Store: public var isEmpty: Bool",
        "A: public protocol Named: AnyObject",
        "A: public struct Store<Value>: Sendable where Value: Sendable",
        "A: public typealias Stores = [Store<Int>]",
      ])
  }

  @Test("A change is reported with what was and what is")
  func difference() {
    #expect(
      PublicSurface.difference(from: ["a", "b"], to: ["a", "c"]) == ["- b", "+ c"])
  }
}
