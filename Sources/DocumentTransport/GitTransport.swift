/// The two services of a git server (`gitprotocol-pack`).
package enum GitService: String, Sendable {
  /// Sends objects to this device.
  case uploadPack = "git-upload-pack"
  /// Receives objects from this device.
  case receivePack = "git-receive-pack"
}

/// A request: bytes, followed by the bytes of a file.
struct GitRequest {
  var bytes: [UInt8]
  /// An open file that is sent from its beginning.
  var file: OutgoingFile?

  /// The total size in bytes.
  var size: Int { bytes.count + (file?.size ?? 0) }
}

/// A file to send, which its creator keeps open.
package struct OutgoingFile: Sendable {
  package let descriptor: Int32
  /// The size in bytes.
  package let size: Int

  package init(descriptor: Int32, size: Int) {
    self.descriptor = descriptor
    self.size = size
  }
}

/// A connection to one service of a repository.
///
/// One thread uses and closes it; every call may wait for the network.
protocol GitTransport: AnyObject {
  /// Reads the service's greeting: its references and capabilities.
  ///
  /// - Parameter receive: receives the bytes as they arrive, and returns whether the greeting is complete.
  func greet(_ receive: (ArraySlice<UInt8>) throws -> Bool) throws

  /// Sends a request, and receives the answer to its end.
  func send(_ request: GitRequest, _ receive: (ArraySlice<UInt8>) throws -> Void) throws

  /// Ends the connection without a request.
  func leave() throws

  /// The bytes received and sent so far, without the overhead of encryption.
  var traffic: Traffic { get }
}

/// The numbers of bytes transferred over a connection.
package struct Traffic: Hashable, Sendable {
  package var received = 0
  package var sent = 0

  package init() {}
}
