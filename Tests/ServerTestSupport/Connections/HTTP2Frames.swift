import AdminPages
import NIOCore
import ServerCore
import ServerHTTP

/// HTTP/2 by hand (RFC 9113), so that a test can leave out or hold back what a client would send.
package struct HTTP2Frame: Equatable {
    package enum Kind: UInt8 {
        case data = 0
        case headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate
    }

    package var kind: Kind?
    package var flags: UInt8 = 0
    package var stream: UInt32 = 0
    package var payload: [UInt8] = []

    package init(kind: Kind? = nil, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    package static let endStream: UInt8 = 1
    private static let endHeaders: UInt8 = 4

    /// The preface before a client's first frame.
    package static let magic = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// How every client begins.
    package static let preface = magic + HTTP2Frame(kind: .settings).bytes

    /// A request's head, by the static table of HPACK (RFC 7541, appendix A) and literals.
    ///
    /// - Parameters:
    ///   - authority: nil for a head without one.
    ///   - fields: names and values of at most 126 bytes each.
    package static func head(
        _ path: String, isPost: Bool = false, ends: Bool, stream: UInt32 = 1, authority: String? = "localhost",
        fields: [(String, String)] = []
    ) -> HTTP2Frame {
        func literal(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
        let method: UInt8 = isPost ? 0x83 : 0x82
        let https: UInt8 = 0x87
        var payload = [method, https, 0x04] + literal(path)
        if let authority { payload += [0x01] + literal(authority) }
        for (name, value) in fields { payload += [0] + literal(name) + literal(value) }
        return HTTP2Frame(kind: .headers, flags: endHeaders | (ends ? endStream : 0), stream: stream, payload: payload)
    }

    package var bytes: [UInt8] {
        var buffer = ByteBuffer(bytes: [UInt8(payload.count >> 16 & 0xFF)])
        buffer.writeInteger(UInt16(payload.count & 0xFFFF))
        buffer.writeBytes([kind?.rawValue ?? 0xFF, flags])
        buffer.writeInteger(stream)
        buffer.writeBytes(payload)
        return Array(buffer.readableBytesView)
    }

    /// The whole frames in what was heard, in order.
    package static func all(in received: [UInt8]) -> [HTTP2Frame] {
        var (buffer, frames) = (ByteBuffer(bytes: received), [HTTP2Frame]())
        while let high = buffer.readInteger(as: UInt8.self), let low = buffer.readInteger(as: UInt16.self),
            let kind = buffer.readInteger(as: UInt8.self), let flags = buffer.readInteger(as: UInt8.self),
            let stream = buffer.readInteger(as: UInt32.self),
            let payload = buffer.readBytes(length: Int(high) << 16 | Int(low))
        {
            frames.append(HTTP2Frame(kind: Kind(rawValue: kind), flags: flags, stream: stream, payload: payload))
        }
        return frames
    }
}
