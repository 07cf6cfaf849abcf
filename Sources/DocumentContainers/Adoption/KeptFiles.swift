internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The earlier states of a file that tools keep.
///
/// | tool | file |
/// | --- | --- |
/// | Syncthing | `.stversions/FOLDERS/trip~20261121-025448.md`, in the folder that it syncs |
/// | Resilio Sync | `.sync/Archive/FOLDERS/trip.md`, `trip.1.md` |
/// | Unison | `.bak.1.trip.md`, beside the file |
struct KeptFiles {
  /// The files, oldest first, with the dates on which they were kept.
  private(set) var files: [(path: FilePath, date: Date)] = []

  init(of file: FilePath) throws {
    let name = file.lastName
    let (stem, ending) = Self.split(name)
    try add(in: file.parentFolder) { other in
      guard other.starts(with: Array(".bak.".utf8)), other.hasEnding("." + name) else { return nil }
      return .some(nil)
    }
    var folder = file.parentFolder
    var rest: [[UInt8]] = []
    while true {
      try add(in: below(folder, [".stversions"], rest)) { other in
        guard other.starts(with: stem + [UInt8(ascii: "~")]), other.hasEnding(ending) else {
          return nil
        }
        return Self.date(other[(stem.count + 1)..<(other.count - ending.count)]).map { .some($0) }
      }
      try add(in: below(folder, [".sync", "Archive"], rest)) { other in
        guard other.starts(with: stem), other.hasEnding(ending) else { return nil }
        let number = other[stem.count..<(other.count - ending.count)]
        let isNumber =
          number.first == UInt8(ascii: ".") && number.dropFirst().allSatisfy(\.isNumeral)
        return number.isEmpty || isNumber ? .some(nil) : nil
      }
      guard folder.lastComponent != nil else { break }
      rest.insert(folder.lastName, at: 0)
      folder = folder.parentFolder
    }
    files.sort { $0.date < $1.date }
  }

  private func below(_ folder: FilePath, _ names: [String], _ rest: [[UInt8]]) -> FilePath {
    rest.reduce(names.reduce(folder) { $0.appending($1) }) { $0.appending(bytes: $1) }
  }

  /// Adds the earlier states of the file in a folder.
  ///
  /// - Parameter date: returns the date in a file's name, which is `nil` inside if the name has none; `nil` for other
  ///   files.
  private mutating func add(in folder: FilePath, _ date: ([UInt8]) -> Date??) throws {
    guard try FileStatus.of(folder)?.kind == .folder else { return }
    for name in try Folder.names(in: folder) {
      guard let said = date(name), let status = try FileStatus.of(folder.appending(bytes: name)),
        status.kind == .file
      else { continue }
      let modified = Date(timeIntervalSince1970: (Double(status.modified) / 1e9).rounded(.down))
      files.append((folder.appending(bytes: name), said ?? modified))
    }
  }

  private static func split(_ name: [UInt8]) -> (stem: [UInt8], ending: [UInt8]) {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (name, []) }
    return (Array(name[..<dot]), Array(name[dot...]))
  }

  /// Reads `20261121-025448` as UTC, so that it is the same on every device.
  private static func date(_ text: ArraySlice<UInt8>) -> Date? {
    let digits = text.filter(\.isNumeral).map { Int($0 - 48) }
    guard text.count == 15, digits.count == 14, text[text.startIndex + 8] == UInt8(ascii: "-")
    else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let parts = LocalCalendar.Parts(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
      minute: number(10..<12), second: number(12..<14))
    return LocalCalendar.has(parts) ? LocalCalendar.utc.date(of: parts) : nil
  }
}

extension UInt8 {
  fileprivate var isNumeral: Bool { (48...57).contains(self) }
}

extension [UInt8] {
  fileprivate func hasEnding(_ ending: [UInt8]) -> Bool {
    suffix(ending.count).elementsEqual(ending)
  }
}

extension String {
  fileprivate static func + (left: String, right: [UInt8]) -> [UInt8] { Array(left.utf8) + right }
}
