package import DocumentFiles
internal import Foundation
package import SystemPackage

/// Reads property lists of other programs, XML and binary.
package enum PropertyListFile {
  /// Reads the bytes of a property list that the user named; a link is followed.
  ///
  /// - Throws: ``FileError`` with code `notFound` where nothing is.
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
  ///   - bytes: those of the file.
  ///   - path: the file, for messages.
  /// - Throws: ``FileError`` with code `damaged` for what is no property list.
  static func dictionary(
    _ bytes: [UInt8], from path: FilePath
  ) throws(FileError) -> PropertyListDictionary {
    guard case .dictionary(let values) = try value(of: bytes, at: path) else {
      throw damaged(path, "is no dictionary")
    }
    return PropertyListDictionary(values: values, place: "", path: path)
  }

  private static func value(
    of bytes: [UInt8], at path: FilePath
  ) throws(FileError) -> PropertyListItem {
    if bytes.starts(with: BinaryPropertyListCheck.signature) {
      do { try BinaryPropertyListCheck.check(bytes) } catch {
        throw damaged(path, "is no binary property list of an application: \(error.reason)")
      }
    } else {
      // Other forms of text would be taken too, and are nothing that declares types.
      let isXML = bytes.first { !$0.isBlank } == UInt8(ascii: "<")
      guard isXML, String(validating: bytes, as: UTF8.self) != nil else {
        throw damaged(path, "is no property list: neither binary nor XML in UTF-8")
      }
      guard !XMLNesting.isDeeper(bytes, than: 100) else {
        throw damaged(path, "is no property list of an application: it is nested too deep")
      }
    }
    do {
      return try PropertyListDecoder().decode(PropertyListItem.self, from: Data(bytes))
    } catch {
      throw damaged(path, "is no property list that can be read")
    }
  }

  private static func damaged(_ path: FilePath, _ what: String) -> FileError {
    FileError(.damaged, path: path, message: "“\(path.printable)” \(what).")
  }
}

extension UInt8 {
  /// Blanks, ends of lines, and the parts of a byte-order mark.
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
  /// A date, data, a number that is not whole: nothing that declares types.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func value<Value: Decodable>(_ type: Value.Type) -> Value? {
      // What is of another type is asked for next.
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
  /// Such as `CFBundleDocumentTypes[0].`.
  let place: String
  let path: FilePath

  /// A text; nil where nothing is.
  func string(_ key: String) throws(FileError) -> String? {
    switch values[key] {
    case nil: return nil
    case .string(let text): return text
    default: throw wrong(key, "must be a string")
    }
  }

  /// A text, or several.
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

  /// A truth value; false where nothing is.
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

  /// A dictionary inside this one; empty where nothing is.
  func dictionary(_ key: String) throws(FileError) -> PropertyListDictionary {
    guard case .dictionary(let inner) = values[key, default: .dictionary([:])] else {
      throw wrong(key, "must be a dictionary")
    }
    return PropertyListDictionary(values: inner, place: "\(place)\(key).", path: path)
  }

  /// Dictionaries inside this one.
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

  /// Makes the error that names the file, the key, and the fault.
  func wrong(_ key: String, _ what: String) -> FileError {
    FileError(
      .damaged, path: path,
      message: "“\(path.printable)” does not declare types: \(place)\(key) \(what).")
  }
}
