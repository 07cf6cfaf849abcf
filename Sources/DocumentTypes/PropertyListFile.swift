package import DocumentFiles
internal import Foundation
package import SystemPackage

/// Reads property lists of other programs, XML and binary.
package enum PropertyListFile {
  /// Reads the bytes of a property list that the user named, following a link.
  ///
  /// - Throws: ``FileError`` with code `notFound` if the file doesn't exist.
  package static func bytes(of path: FilePath) throws(FileError) -> [UInt8] {
    let isLink = try FileStatus.of(path)?.kind == .symbolicLink
    guard let bytes = try SmallFile.read(isLink ? path.resolvingLinks() : path) else {
      throw FileError(.notFound, path: path, message: "There is no file “\(path.printable)”.")
    }
    return bytes
  }

  /// Reads a property list, which must be a dictionary.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the file.
  ///   - path: the file, for messages.
  /// - Throws: ``FileError`` with code `damaged` if the file isn't a property list.
  static func dictionary(
    _ bytes: [UInt8], from path: FilePath
  ) throws(FileError) -> PropertyListDictionary {
    guard case .dictionary(let values) = try value(of: bytes, at: path) else {
      throw damaged(path, "isn’t a dictionary")
    }
    return PropertyListDictionary(values: values, place: "", path: path)
  }

  private static func value(
    of bytes: [UInt8], at path: FilePath
  ) throws(FileError) -> PropertyListItem {
    if bytes.starts(with: BinaryPropertyListCheck.signature) {
      do { try BinaryPropertyListCheck.check(bytes) } catch {
        throw damaged(path, "isn’t a binary property list of an application: \(error.reason)")
      }
    } else {
      // Foundation would also accept other text formats, which don't declare types.
      let isXML = bytes.first { !$0.isBlank } == UInt8(ascii: "<")
      guard isXML, String(validating: bytes, as: UTF8.self) != nil else {
        throw damaged(path, "isn’t a property list: neither binary nor XML in UTF-8")
      }
      guard !XMLNesting.isDeeper(bytes, than: 100) else {
        throw damaged(path, "isn’t a property list of an application: it is nested too deeply")
      }
    }
    do {
      return try PropertyListDecoder().decode(PropertyListItem.self, from: Data(bytes))
    } catch {
      throw damaged(path, "isn’t a readable property list")
    }
  }

  private static func damaged(_ path: FilePath, _ what: String) -> FileError {
    FileError(.damaged, path: path, message: "“\(path.printable)” \(what).")
  }
}

extension UInt8 {
  /// True if the byte is a space, the end of a line, or part of a byte-order mark.
  fileprivate var isBlank: Bool {
    [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(self)
  }
}

/// A value in a property list.
enum PropertyListItem: Decodable {
  case string(String)
  case flag(Bool)
  case number(Int)
  case array([PropertyListItem])
  case dictionary([String: PropertyListItem])
  /// A date, data, or a fractional number, which declarations of types don't use.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func value<Value: Decodable>(_ type: Value.Type) -> Value? {
      // If the value has another type, the next one is tried.
      do { return try container.decode(type) } catch { return nil }
    }
    self =
      if let text = value(String.self) {
        .string(text)
      } else if let values = value([String: PropertyListItem].self) {
        .dictionary(values)
      } else if let items = value([PropertyListItem].self) {
        .array(items)
      } else if let flag = value(Bool.self) {
        .flag(flag)
      } else if let number = value(Int.self) {
        .number(number)
      } else if let number = value(Double.self).flatMap(Int.init(exactly:)) {
        .number(number)
      } else {
        .other
      }
  }
}

/// A dictionary of a property list, with its place in the file, for messages.
struct PropertyListDictionary {
  let values: [String: PropertyListItem]
  /// The place in the file, such as `CFBundleDocumentTypes[0].`.
  let place: String
  let path: FilePath

  /// Returns a string; `nil` if there is none.
  func string(_ key: String) throws(FileError) -> String? {
    switch values[key] {
    case nil: return nil
    case .string(let text): return text
    default: throw wrong(key, "must be a string")
    }
  }

  /// Returns one or several strings.
  func strings(_ key: String) throws(FileError) -> [String] {
    let items: [PropertyListItem]
    switch values[key] {
    case nil: return []
    case .string(let text): return [text]
    case .array(let array): items = array
    default: throw wrong(key, "must be strings")
    }
    var strings: [String] = []
    for item in items {
      guard case .string(let text) = item else { throw wrong(key, "must be strings") }
      strings.append(text)
    }
    return strings
  }

  /// Returns a Boolean value; `false` if there is none.
  func flag(_ key: String) throws(FileError) -> Bool {
    switch values[key] {
    case nil: return false
    case .flag(let flag): return flag
    case .number(let number): return number != 0
    case .string(let text) where ["yes", "true", "1"].contains(text.lowercased()): return true
    case .string(let text) where ["no", "false", "0"].contains(text.lowercased()): return false
    default: throw wrong(key, "must be true or false")
    }
  }

  /// Returns a nested dictionary; empty if there is none.
  func dictionary(_ key: String) throws(FileError) -> PropertyListDictionary {
    guard case .dictionary(let inner) = values[key, default: .dictionary([:])] else {
      throw wrong(key, "must be a dictionary")
    }
    return PropertyListDictionary(values: inner, place: "\(place)\(key).", path: path)
  }

  /// Returns nested dictionaries.
  func dictionaries(_ key: String) throws(FileError) -> [PropertyListDictionary] {
    guard case .array(let members) = values[key, default: .array([])] else {
      throw wrong(key, "must be an array")
    }
    var inner: [PropertyListDictionary] = []
    for (index, member) in members.enumerated() {
      guard case .dictionary(let values) = member else {
        throw wrong("\(key)[\(index)]", "must be a dictionary")
      }
      inner.append(
        PropertyListDictionary(values: values, place: "\(place)\(key)[\(index)].", path: path))
    }
    return inner
  }

  /// Creates the error that names the file, the key and the fault.
  func wrong(_ key: String, _ what: String) -> FileError {
    FileError(
      .damaged, path: path,
      message: "“\(path.printable)” does not declare types: \(place)\(key) \(what).")
  }
}
