internal import Foundation

/// The address of a git repository: `https://host/path`, `ssh://user@host:port/path`, `user@host:path`,
/// `git://host/path` or `file:///path`.
///
/// Other forms are errors, such as git's syntax for running any program (`ext::`), and hosts, users or paths
/// that a program would treat as options.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
  /// The protocol for reaching the repository.
  package enum Scheme: String, Sendable, CaseIterable {
    case file, git, http, https, ssh
  }

  package let scheme: Scheme
  /// The user name for signing in; `nil` if the address has none.
  package let user: String?
  /// The host's name or address; empty for a folder.
  package let host: String
  package let port: Int?
  /// The path on the host, in the form that the scheme requires.
  package let path: String
  /// The address in its original form.
  package let description: String

  /// The reason why a text isn't an address.
  package struct Refusal: Error {
    /// The reason, as a sentence.
    package let reason: String
    package let hint: String

    fileprivate init(_ reason: String, hint: String) {
      self.reason = reason
      self.hint = hint
    }

    /// Returns the error for a path, with a suitable address.
    fileprivate static func path(_ path: String) -> Refusal {
      let address = URL(filePath: path, directoryHint: .notDirectory).absoluteString
      return Refusal(
        "“\(path)” is a path, not an address.",
        hint: "The address of this folder is \(address)")
    }

    fileprivate static func unknown(_ text: String) -> Refusal {
      Refusal(
        "“\(text)” is not the address of a git repository.",
        hint:
          "Addresses look like https://host/path, ssh://user@host/path, user@host:path, git://host/path or "
          + "file:///path.")
    }
  }

  /// Reads an address.
  package init(_ text: String) throws(Refusal) {
    let shown = String(text.prefix(Self.most))
    if text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") {
      throw .path(shown)
    }
    guard !text.isEmpty, text.utf8.count <= Self.most,
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { throw .unknown(shown) }
    description = text
    if let (scheme, rest) = Self.scheme(of: text) {
      guard let known = Scheme(rawValue: scheme) else {
        throw Refusal(
          "“\(shown)” begins with “\(scheme)://”, which docversions doesn’t support.",
          hint: "It speaks https://, ssh://, git:// and file://.")
      }
      self.scheme = known
      if known == .file {
        (user, host, port) = (nil, "", nil)
        guard rest.hasPrefix("/"), let decoded = rest.removingPercentEscapes else {
          throw .unknown(shown)
        }
        path = decoded
        return
      }
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      let authority = Self.Authority(rest[..<slash])
      guard let authority, slash < rest.endIndex else { throw .unknown(shown) }
      guard !authority.hasPassword else {
        throw Refusal(
          "The address contains a password.",
          hint: "Leave it out: it is asked for, or a credential helper of git knows it.")
      }
      (user, host, port) = (authority.user, authority.host, authority.port)
      var path = String(rest[slash...])
      if known == .ssh {
        guard let decoded = path.removingPercentEscapes else { throw .unknown(shown) }
        // A home folder, which the host's shell expands.
        path = decoded.hasPrefix("/~") ? String(decoded.dropFirst()) : decoded
      }
      self.path = path
    } else {
      // user@host:path, in the syntax of scp.
      let slash = text.firstIndex(of: "/") ?? text.endIndex
      guard let colon = Self.colon(in: text[..<slash]),
        !text[text.index(after: colon)...].hasPrefix(":"),
        let authority = Self.Authority(text[..<colon]), authority.port == nil,
        !authority.hasPassword
      else { throw .unknown(shown) }
      scheme = .ssh
      (user, host, port) = (authority.user, authority.host, nil)
      path = String(text[text.index(after: colon)...])
    }
    guard !path.isEmpty, !path.hasPrefix("-"), Self.isHost(host), user.map(Self.isUser) ?? true
    else {
      throw .unknown(shown)
    }
  }

  /// Returns the part before "://", and the rest.
  private static func scheme(of text: String) -> (String, Substring)? {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
    return (text[..<colon].lowercased(), text[text.index(colon, offsetBy: 3)...])
  }

  /// Returns the index of the colon after a host; colons in brackets are part of the host.
  private static func colon(in text: Substring) -> Substring.Index? {
    let start = text.lastIndex(of: "]") ?? text.startIndex
    return text[start...].firstIndex(of: ":")
  }

  /// The part of an address that names the host.
  private struct Authority {
    var user: String?
    var hasPassword = false
    var host: String
    var port: Int?

    init?(_ text: Substring) {
      var rest = text
      if let at = rest.lastIndex(of: "@") {
        let words = rest[..<at].split(
          separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = words[0].removingPercentEscapes, !name.isEmpty else { return nil }
        user = name
        hasPassword = words.count > 1
        rest = rest[rest.index(after: at)...]
      }
      if let colon = RemoteAddress.colon(in: rest) {
        let digits = rest[rest.index(after: colon)...]
        if !digits.isEmpty {
          guard let number = UInt16(digits), number > 0 else { return nil }
          port = Int(number)
        }
        rest = rest[..<colon]
      }
      host =
        rest.hasPrefix("[") && rest.hasSuffix("]")
        ? String(rest.dropFirst().dropLast()) : String(rest)
    }
  }

  private static func isHost(_ text: String) -> Bool {
    let marks = Array(".-_:%".utf8)
    return !text.isEmpty && !text.hasPrefix("-")
      && text.utf8.allSatisfy { isWord($0) || marks.contains($0) || $0 >= 0x80 }
  }

  private static func isUser(_ text: String) -> Bool {
    let marks = Array(".-_+@".utf8)
    return !text.hasPrefix("-")
      && text.utf8.allSatisfy { isWord($0) || marks.contains($0) || $0 >= 0x80 }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static let most = 2_000
}

extension Substring {
  /// The text with `%41` replaced by `A`; `nil` if an escape is incomplete, or represents a control character.
  fileprivate var removingPercentEscapes: String? { String(self).removingPercentEscapes }
}

extension String {
  /// The text with `%41` replaced by `A`; `nil` if an escape is incomplete, or represents a control character.
  fileprivate var removingPercentEscapes: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
        value > 0x1F, value != 0x7F
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
