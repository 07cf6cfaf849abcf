internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// A web server for this machine alone: few connections, short requests, short waits.
final class PageServer: Sendable {
  typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  typealias Handler = @Sendable (PageRequest) async -> PageResponse

  /// What a client may ask of the server.
  enum Limits {
    static let connections = 64
    /// Bytes of a request's body: room for a long text twice, as JSON.
    static let body = 48 << 20
    /// Until a request is whole, and until an answer is taken.
    static let exchange = TimeAmount.seconds(20)
    /// Between two requests of a connection.
    static let idle = TimeAmount.seconds(60)
  }

  private let listener: NIOAsyncChannel<Connection, Never>
  private let open = Mutex(0)

  /// The port it listens at.
  var port: Int { listener.channel.localAddress?.port ?? 0 }

  /// Listens at a port of the loopback interface; 0 takes a free one.
  init(port: Int) async throws {
    listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          var limits = NIOHTTPDecoderLimitConfiguration()
          limits.maxHeaderListSize = 16 << 10
          limits.maxHeaderFieldSize = 8 << 10
          limits.maxHeaderFieldCount = 100
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
  }

  /// Serves until the task is cancelled.
  func serve(_ handler: @escaping Handler) async throws {
    try await listener.executeThenClose { connections in
      try await withThrowingDiscardingTaskGroup { tasks in
        for try await connection in connections {
          guard take() else {
            connection.channel.close(promise: nil)
            tasks.addTask { do { try await connection.executeThenClose { _, _ in } } catch {} }
            continue
          }
          tasks.addTask { [self] in
            // What a client does wrong ends its connection, and nothing else.
            do { try await converse(over: connection, handler) } catch {}
            open.withLock { $0 -= 1 }
          }
        }
      }
    }
  }

  /// Counts a connection, where one more may be open.
  private func take() -> Bool {
    open.withLock { open in
      guard open < Limits.connections else { return false }
      open += 1
      return true
    }
  }

  private func converse(over connection: Connection, _ handler: Handler) async throws {
    let channel = connection.channel
    try await connection.executeThenClose { parts, output in
      var head: HTTPRequestHead?
      var body: [UInt8] = []
      var alarm = Alarm(channel, after: Limits.idle)
      defer { alarm.stop() }
      for try await part in parts {
        switch part {
        case .head(let new):
          alarm.set(after: Limits.exchange)
          head = new
          body = []
        case .body(let bytes):
          guard body.count + bytes.readableBytes <= Limits.body else {
            let error = PageError(.payloadTooLarge, "That is too much at once.")
            return try await send(PageResponse(error), to: output, over: channel, &alarm)
          }
          body += bytes.readableBytesView
        case .end:
          guard let request = head else { return }
          alarm.stop()
          let response = await handler(PageRequest(request, body: body))
          try await send(response, to: output, over: channel, &alarm)
          guard request.isKeepAlive, case .bytes = response.body else { return }
          body = []
          alarm.set(after: Limits.idle)
        }
      }
    }
  }

  private func send(
    _ response: PageResponse, to output: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
    over channel: any Channel, _ alarm: inout Alarm
  ) async throws {
    alarm.set(after: Limits.exchange)
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
        alarm.set(after: Limits.exchange)
        try await output.write(.body(.byteBuffer(ByteBuffer(string: await feed.news()))))
        alarm.stop()
      }
      await feed.end()
    }
  }
}

/// Closes a connection that keeps the server waiting.
private struct Alarm {
  private let channel: any Channel
  private var scheduled: Scheduled<Void>?

  init(_ channel: any Channel, after time: TimeAmount) {
    self.channel = channel
    set(after: time)
  }

  mutating func set(after time: TimeAmount) {
    stop()
    scheduled = channel.eventLoop.scheduleTask(in: time) { [channel] in
      channel.close(promise: nil)
    }
  }

  mutating func stop() {
    scheduled?.cancel()
    scheduled = nil
  }
}
