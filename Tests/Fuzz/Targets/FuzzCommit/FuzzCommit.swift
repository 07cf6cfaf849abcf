@testable internal import DocumentGit
@testable internal import DocumentStore

/// A commit object, and the record or the content that it may be.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let id = ObjectID.emptyTree
  do {
    let commit = try Commit(decoding: bytes)
    _ = try commit.encoded()
    do { _ = try ContentCommit(id: id, decoding: commit) } catch {}
    let record = try Record(id: id, decoding: commit)
    // A readable record can be followed and written.
    _ = try Record.make(record.facts.later(than: [record]), parents: [id])
    let marks = ContentCommit.Marks(removed: [id], isPinned: true)
    let content = try ContentCommit.make(for: record, predecessors: [], marks: marks).content
    precondition(content.marks == marks, "a mark is lost")
  } catch {}
  return 0
}
