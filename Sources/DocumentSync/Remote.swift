internal import DocumentFiles
internal import DocumentStore
internal import DocumentTransport
public import Foundation
internal import SystemPackage

/// A git repository through which the devices of a container exchange versions: on a server, or a folder.
public struct Remote: Hashable, Sendable {
  /// The name on this device, such as “origin”.
  public let name: String
  /// The address, as `https://host/path`, `ssh://user@host:port/path`, `user@host:path`, `git://host/path` or
  /// `file:///path`.
  public let address: String
  /// True if the repository may also hold other contents, such as source code, which stay unchanged.
  package var isShared: Bool
  /// The date of this device's last exchange with it; `nil` if there was none.
  public internal(set) var lastSync: Date?

  /// Creates a remote.
  ///
  /// - Parameters:
  ///   - name: letters, digits, dots, hyphens and underscores, at most 100.
  ///   - isShared: whether the repository may also hold other contents.
  /// - Throws: ``VersionError`` with code `invalidArgument` for an invalid name or address.
  public init(name: String, address: String, isShared: Bool = false) throws {
    guard Self.isName(name) else {
      throw VersionError(
        .invalidArgument, document: "",
        message: "“\(Printable.text(name))” isn’t a valid name for a remote.",
        hint: "Use letters, digits, dots, hyphens and underscores.")
    }
    do {
      _ = try RemoteAddress(address)
    } catch {
      throw VersionError(
        .invalidArgument, document: Printable.text(address), message: Printable.text(error.reason),
        hint: error.hint)
    }
    self.name = name
    self.address = address
    self.isShared = isShared
  }

  private static func isName(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasPrefix(".")
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || ".-_".unicodeScalars.contains(scalar)
      }
  }
}

extension Remote {
  /// True for a folder, which has no host.
  package var isFolder: Bool { address.lowercased().hasPrefix("file:") }

  /// The folder that the address names; nil for a server.
  package var folder: URL? {
    get throws {
      let place: RemoteAddress
      do { place = try RemoteAddress(address) } catch {
        throw TransportError(.unavailable, error.reason, hint: error.hint)
      }
      return place.scheme == .file ? URL(filePath: place.path) : nil
    }
  }

  /// The keys of the list of its documents; for a folder, also the key that it has while it doesn't exist.
  var peerKeys: Set<String> {
    get throws {
      guard let path = try folder?.filePath else { return [address] }
      return [path.string, try ContainerSync.place(of: path).string]
    }
  }
}

extension VersionError {
  /// Creates the error for a remote that can't be reached, or that refuses.
  init(_ error: TransportError, of remote: Remote) {
    let code: Code =
      switch error.kind {
      case .unreachable, .timedOut, .cut, .unavailable: .remoteUnreachable
      case .notTrusted, .signInFailed, .noRepository, .refused, .notForward: .remoteRefused
      case .malformed: .damagedExchange
      case .changedMeanwhile: .changedMeanwhile
      }
    self.init(
      code, document: Printable.text(remote.address), message: Printable.text(error.message),
      recovery: error.recovery ?? (code == .remoteUnreachable ? .tryAgain : nil), hint: error.hint,
      cause: error)
  }
}
