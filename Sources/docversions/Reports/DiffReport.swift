internal import DocumentVersions
internal import Foundation

/// The differences between two contents: `{"changes", "different", "document", "from", "to"}`.
///
/// `from` and `to` are the identifiers of the versions; `to` is null for the document on disk.
struct DiffReport: Encodable {
  /// The changes of a report.
  enum Changes: Encodable {
    case shown([ChangeReport])
    case counted([StatReport])
    /// Printed already, for a person.
    case printed(Int)

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .shown(let changes): try changes.encode(to: encoder)
      case .counted(let changes): try changes.encode(to: encoder)
      case .printed: break
      }
    }

    fileprivate var count: Int {
      switch self {
      case .shown(let changes): changes.count
      case .counted(let changes): changes.count
      case .printed(let count): count
      }
    }
  }

  let document, from: String
  @Nullable var to: String?
  let different: Bool
  let changes: Changes

  init(_ changes: Changes, of document: URL, from: FileVersion, to: FileVersion?) {
    self.document = document.path
    self.from = from.id.description
    self.to = to?.id.description
    different = changes.count > 0
    self.changes = changes
  }
}

/// A change with its lines.
///
/// Its `member` (null for the document itself), the path before in `former` if it was another one, `change` (added,
/// removed, changed, renamed), a `remark` or null, and `hunks` of text: `old` and `new` are first line and count,
/// `lines` begin with " ", "-" or "+".
struct ChangeReport: Encodable {
  struct Hunk: Encodable {
    let old, new: [Int]
    let lines: [String]
  }

  @Nullable var member: String?
  @Nullable var former: String?
  let change: MemberChange.Kind
  @Nullable var remark: String?
  let hunks: [Hunk]

  init(_ difference: MemberDifference) throws {
    let change = difference.change
    member = change.path.isEmpty ? nil : change.path
    former = change.formerPath
    self.change = change.kind
    switch try MemberDiff(difference) {
    case .remark(let remark):
      self.remark = remark.isEmpty ? nil : remark
      hunks = []
    case .text(let text):
      remark = change.modeRemark
      hunks = text.hunks.map { hunk in
        Hunk(
          old: [hunk.old.lowerBound + 1, hunk.old.count],
          new: [hunk.new.lowerBound + 1, hunk.new.count],
          lines: text.lines(of: hunk).map { line in
            String(line.sign) + String(decoding: line.text.filter { $0 != 0x0A }, as: UTF8.self)
          })
      }
    }
  }
}
