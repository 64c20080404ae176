import Basics
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Writes `Date` by the simulated App Store's clock: the framework knows only that of the machine.
final class StoreDateHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let clock: @Sendable () -> Date

    init(clock: @escaping @Sendable () -> Date) { self.clock = clock }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        head.headerFields[.date] = HTTPDate.text(of: clock())
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
