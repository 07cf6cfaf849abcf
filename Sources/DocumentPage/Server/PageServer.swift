internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// A web server for only this machine, with few connections, short requests and short waits.
final class PageServer: Sendable {
  typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  typealias Handler = @Sendable (PageRequest) async -> PageResponse

  /// The limits for clients.
  struct Limits {
    var connections = 64
    /// The maximum size of a request's body in bytes, enough for a long text twice, as JSON.
    var body = 48 << 20
    /// The maximum time from the head of a request until it is complete, and between two parts of an answer.
    var exchange = Duration.seconds(20)
    /// The maximum time until the head of the next request, during which the client may still receive the end
    /// of an answer.
    var idle = Duration.seconds(60)
  }

  private let listener: any Channel
  private let connections: PageConnections

  /// The port it listens at.
  var port: Int { listener.localAddress?.port ?? 0 }

  /// Creates a server that listens at a port of the loopback interface; 0 takes a free one.
  ///
  /// Connections wait until it serves.
  init(port: Int, limits: Limits = Limits()) async throws {
    let connections = PageConnections(limits)
    self.connections = connections
    listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          var limits = NIOHTTPDecoderLimitConfiguration()
          limits.maxHeaderListSize = 16 << 10
          limits.maxHeaderFieldSize = 8 << 10
          limits.maxHeaderFieldCount = 100
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
          let connection = try Connection(wrappingChannelSynchronously: channel)
          // Each is executed, because NIO ends the program if one is dropped, as a sequence of
          // connections drops those that wait in it when the server ends.
          Task { await connections.execute(connection) }
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
  }

  /// Serves until the task is canceled.
  func serve(_ handler: @escaping Handler) async throws {
    connections.begin(handler)
    try await withTaskCancellationHandler {
      try await listener.setOption(.autoRead, value: true).get()
      try await listener.closeFuture.get()
    } onCancel: {
      listener.close(promise: nil)
      connections.close()
    }
  }
}

/// The open connections of a server.
private final class PageConnections: Sendable {
  private struct State {
    var handler: PageServer.Handler?
    var channels: [ObjectIdentifier: any Channel] = [:]
  }

  private let limits: PageServer.Limits
  private let state = Mutex(State())

  init(_ limits: PageServer.Limits) { self.limits = limits }

  /// Starts to answer requests.
  func begin(_ handler: @escaping PageServer.Handler) {
    state.withLock { $0.handler = handler }
  }

  /// Closes all connections, and later ones at once.
  func close() {
    let channels = state.withLock { state in
      state.handler = nil
      return Array(state.channels.values)
    }
    for channel in channels { channel.close(promise: nil) }
  }

  /// Answers the requests of a connection until it ends; closes it at once if it is one too many.
  func execute(_ connection: PageServer.Connection) async {
    // A client's error ends only its own connection.
    do {
      guard let handler = take(connection.channel) else {
        return try await connection.executeThenClose { _, _ in }
      }
      try await converse(over: connection, handler)
    } catch {}
    state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(connection.channel)) }
  }

  /// Counts a connection, if one more may be open.
  private func take(_ channel: any Channel) -> PageServer.Handler? {
    state.withLock { state in
      guard state.channels.count < limits.connections, let handler = state.handler else {
        return nil
      }
      state.channels[ObjectIdentifier(channel)] = channel
      return handler
    }
  }

  private func converse(
    over connection: PageServer.Connection, _ handler: PageServer.Handler
  ) async throws {
    let channel = connection.channel
    try await connection.executeThenClose { parts, output in
      var head: HTTPRequestHead?
      var body: [UInt8] = []
      var isRefused = false
      var alarm = Alarm(channel, after: limits.idle)
      defer { alarm.stop() }
      for try await part in parts {
        switch part {
        case .head(let new):
          alarm.set(after: limits.exchange)
          head = new
          body = []
        case .body(let bytes):
          // The rest of a refused request is dropped, because a client that is disconnected while it sends
          // may not get the answer.
          if isRefused { continue }
          guard body.count + bytes.readableBytes <= limits.body else {
            let error = PageError(.payloadTooLarge, "That is too much at once.")
            try await send(PageResponse(error), to: output, over: channel, &alarm)
            (isRefused, body) = (true, [])
            continue
          }
          body += bytes.readableBytesView
        case .end:
          guard let request = head, !isRefused else { return }
          alarm.stop()
          let response = await handler(PageRequest(request, body: body))
          try await send(response, to: output, over: channel, &alarm)
          guard request.isKeepAlive, case .bytes = response.body else { return }
          body = []
          alarm.set(after: limits.idle)
        }
      }
    }
  }

  private func send(
    _ response: PageResponse, to output: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
    over channel: any Channel, _ alarm: inout Alarm
  ) async throws {
    alarm.set(after: limits.exchange)
    let head = HTTPResponseHead(
      version: .http1_1, status: response.status, headers: response.allHeaders)
    try await output.write(.head(head))
    switch response.body {
    case .bytes(let bytes):
      try await output.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
      try await output.write(.end(nil))
    case .events(let feed):
      channel.closeFuture.whenComplete { _ in Task { await feed.end() } }
      for await _ in feed.wakes {
        alarm.set(after: limits.exchange)
        try await output.write(.body(.byteBuffer(ByteBuffer(string: await feed.news()))))
        alarm.stop()
      }
      await feed.end()
    }
  }
}

/// A timer that closes a connection that keeps the server waiting.
private struct Alarm {
  private let channel: any Channel
  private var scheduled: Scheduled<Void>?

  init(_ channel: any Channel, after time: Duration) {
    self.channel = channel
    set(after: time)
  }

  mutating func set(after time: Duration) {
    stop()
    scheduled = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { [channel] in
      channel.close(promise: nil)
    }
  }

  mutating func stop() {
    scheduled?.cancel()
    scheduled = nil
  }
}
