import Testing

@testable import DocumentMerge

@Suite("Which engine merges a file")
struct MergeEnginesTests {
  private struct Named: MergeEngine {
    let name: String
    func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
      MergeOutcome(bytes: Array(name.utf8), decisions: [])
    }
  }

  @Test(
    "The name tells, whatever its case",
    arguments: [
      ("a.json", "json"), ("A.JSON", "json"), ("a/b.yml", "yaml"), ("Info.plist", "plist"),
      ("x.ipynb", "notebook"), ("x.html", "html"), ("x.svg", "xml"), ("Cargo.lock", "toml"),
      ("Boat.csproj", "xml"), ("Directory.Build.props", "xml"), ("a.vcxproj", "xml"),
      ("Words.resx", "xml"), ("a.nuspec", "xml"), ("View.xaml", "xml"), ("a.xsd", "xml"),
      ("a.csv", "table"), ("README.md", "text"), ("main.swift", "text"), ("LICENSE", "text"),
    ])
  func names(_ file: String, _ engine: String) {
    #expect(MergeEngines().engine(forFileName: file).name == engine)
  }

  @Test("An engine that was put in comes first, and the last one that fits counts")
  func rules() throws {
    var engines = MergeEngines()
    engines.use(for: "*.json") { _ in Named(name: "first") }
    engines.use(for: "Special*.json") { Named(name: "for \($0)") }
    engines.use(for: "art/*.bin") { _ in Named(name: "art") }
    #expect(engines.engine(forFileName: "x/a.JSON").name == "first")
    #expect(engines.engine(forFileName: "x/special 1.json").name == "for x/special 1.json")
    #expect(engines.engine(forFileName: "art/a.bin").name == "art")
    #expect(engines.engine(forFileName: "other/a.bin").name == "text")
    // If one side changed nothing, no engine is used.
    let engine = engines.engine(forFileName: "a.json")
    #expect(
      try engine.merge(MergeSides(base: [1], ours: [1], theirs: [2]), options: MergeOptions()).bytes
        == [2])
    #expect(
      try engine.merge(MergeSides(base: [1], ours: [3], theirs: [2]), options: MergeOptions()).text
        == "first")
  }

  @Test("A declared type comes before the name")
  func declared() {
    var engines = MergeEngines()
    engines.declaredKind = {
      $0.hasSuffix(".trip")
        ? MergeEngines.Kind(conformingTo: ["com.example.trip", "public.json"]) : nil
    }
    #expect(engines.engine(forFileName: "a.trip").name == "json")
    #expect(engines.engine(forFileName: "a.yaml").name == "yaml")
    #expect(MergeEngines.Kind(conformingTo: ["com.example.trip", "public.data"]) == nil)
  }

  @Test(
    "Where the name says nothing, the contents do, if nothing else can be meant",
    arguments: [
      (#"{"a": 1, "b": 2}"#, #"{"a": 3, "b": 2}"#, #"{"a": 1, "b": 4}"#, true),
      ("{ not json\n", "{ not JSON\n", "{ nor json\n", false),
      (
        "<?xml version=\"1.0\"?><a x=\"1\" y=\"1\"/>",
        "<?xml version=\"1.0\"?><a x=\"2\" y=\"1\"/>",
        "<?xml version=\"1.0\"?><a x=\"1\" y=\"2\"/>", true
      ),
      ("a 1, b 1\n", "a 2, b 1\n", "a 1, b 2\n", false),
    ])
  func contents(_ base: String, _ ours: String, _ theirs: String, _ isComplete: Bool) throws {
    let engine = MergeEngines().engine(forFileName: "settings")
    let outcome = try engine.merge(
      MergeSides(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8)),
      options: MergeOptions())
    #expect(outcome.isComplete == isComplete)
    #expect(outcome.text.contains("<<<<<<<") == !isComplete)
  }
}
