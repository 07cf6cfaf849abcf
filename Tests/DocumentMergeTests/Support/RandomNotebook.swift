import DocumentMerge
import DocumentTestSupport

/// A notebook that a test makes and edits.
struct RandomNotebook {
  struct Cell {
    var id: String
    var isCode: Bool
    var lines: [String]
    var run: Int?
    var tag: String?
  }

  var cells: [Cell]
  var hasIds: Bool
  var isList: Bool
  var kernel = "k"

  var json: RandomJSON {
    func text(_ text: String) -> RandomJSON { .leaf("\"\(text)\"") }
    return .object([
      .init(key: "cells", value: .list(cells.map { json(of: $0) })),
      .init(
        key: "metadata",
        value: .object([
          .init(key: "kernelspec", value: .object([.init(key: "name", value: text(kernel))]))
        ])),
      .init(key: "nbformat", value: .leaf("4")),
      .init(key: "nbformat_minor", value: .leaf(hasIds ? "5" : "4")),
    ])
  }

  private func json(of cell: Cell) -> RandomJSON {
    func text(_ text: String) -> RandomJSON { .leaf("\"\(text)\"") }
    var members: [RandomJSON.Member] = [
      .init(key: "cell_type", value: text(cell.isCode ? "code" : "markdown"))
    ]
    if hasIds { members.append(.init(key: "id", value: text(cell.id))) }
    let tags = cell.tag.map { [RandomJSON.Member(key: "tag", value: text($0))] } ?? []
    members.append(.init(key: "metadata", value: .object(tags)))
    if cell.isCode {
      members.append(
        .init(key: "execution_count", value: .leaf(cell.run.map(String.init) ?? "null")))
      let outputs: [RandomJSON] =
        cell.run.map { run in
          (0..<run % 3).map { .object([.init(key: "text", value: text("run \(run) \($0)"))]) }
        } ?? []
      members.append(.init(key: "outputs", value: .list(outputs)))
    }
    let last = cell.lines.count - 1
    let lines = cell.lines.enumerated().map { $0.offset == last ? $0.element : $0.element + "\\n" }
    members.append(
      .init(key: "source", value: isList ? .list(lines.map(text)) : text(lines.joined())))
    return .object(members)
  }
}

extension SeededGenerator {
  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  private mutating func cell(_ mark: String) -> RandomNotebook.Cell {
    let words = ["read", "plot", "the", "harbour", "levels", "and", "sum", "far", "tides", "mean"]
    let lines = (0..<pick(6) + 1).map { line in
      (0..<4).map { _ in words[pick(words.count)] + mark }.joined(separator: " ")
        + " \(mark).\(line)"
    }
    return .init(
      id: mark, isCode: pick(3) > 0, lines: lines, run: pick(2) == 0 ? pick(90) + 1 : nil)
  }

  /// One edit of a notebook; what it adds carries the mark.
  private mutating func edit(_ notebook: inout RandomNotebook, _ mark: String, moves: Bool) {
    guard !notebook.cells.isEmpty, pick(5) > 0 else {
      return notebook.cells.insert(cell(mark), at: pick(notebook.cells.count + 1))
    }
    let index = pick(notebook.cells.count)
    switch pick(12) {
    case 0: notebook.cells.remove(at: index)
    case 1 where moves: notebook.cells.swapAt(index, pick(notebook.cells.count))
    case 2: notebook.cells[index].isCode.toggle()
    case 3: notebook.cells[index].tag = mark
    case 4: notebook.kernel = mark
    case 5, 6, 7:
      for index in notebook.cells.indices where pick(3) > 0 {
        notebook.cells[index].run = notebook.cells[index].isCode ? pick(900) + 1 : nil
      }
    default:
      let line = pick(notebook.cells[index].lines.count)
      if pick(3) == 0 {
        notebook.cells[index].lines.insert("new " + mark, at: line)
      } else {
        notebook.cells[index].lines[line] += " " + mark
      }
    }
  }

  /// A base and two edited sides.
  /// - Parameter moves: Whether cells are moved that have no ids.
  mutating func notebookSides(moves: Bool = true) -> MergeSides<[UInt8]> {
    let cells = (0..<pick(7)).map { cell("c\($0)") }
    let base = RandomNotebook(cells: cells, hasIds: pick(3) > 0, isList: pick(4) > 0)
    let sides = ["o", "t"].map { mark in
      var side = base
      for number in 0..<pick(4) + 1 { edit(&side, "\(mark)\(number)", moves: moves || base.hasIds) }
      if pick(12) == 0 { side.hasIds = true }
      if pick(12) == 0 { side.isList = true }
      return side.json.written(pick(8) == 0 ? .four : .two)
    }
    return MergeSides(base: base.json.written(.two), ours: sides[0], theirs: sides[1])
  }
}
