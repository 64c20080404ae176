package import NIOCore

/// A table of request heads as bytes, each with the request that the decoder made of exactly these bytes: a request
/// without a body that the fast path answered, and after which the connection stays open. To be used on one event loop
/// only.
///
/// Clients send the same heads again and again; finding one here takes a fraction of the time for decoding it. The
/// table is bounded, its places cannot be predicted, and no client gets more than a part of it.
final class KnownHeads {
    /// More than the kinds of clients, times the apps and files that are requested most; a megabyte or two in all.
    static let maximumHeads = 1_024
    /// In bytes. The head of a download, with its grant and what an app's HTTP client sends by itself, has about 400.
    static let maximumHeadBytes = 2 << 10
    /// The maximum number of heads from one address.
    static let maximumHeadsPerAddress = 64
    /// In bytes. No request without a body is shorter.
    private static let minimumHeadBytes = 16

    /// Responses are joined here.
    let answers = AnswerBuffer()
    private let clients: ClientAddresses
    /// A head is in one of two places: that of its hash, or the one beside it.
    private var slots = [KnownRequest?](repeating: nil, count: maximumHeads)
    /// The number of heads of each address.
    private var counts: [IPAddress?: Int] = [:]
    private var uses: UInt64 = 0

    /// - Parameter clients: finds the address that a head is counted for.
    init(_ clients: ClientAddresses) { self.clients = clients }

    var count: Int { counts.values.reduce(0, +) }

    /// The request whose head these bytes are, nothing less and nothing more; `nil` if it is not known.
    subscript(_ bytes: ByteBuffer) -> KnownRequest? {
        guard Self.minimumHeadBytes...Self.maximumHeadBytes ~= bytes.readableBytes, bytes.beginsLikeKnownHead else {
            return nil
        }
        guard let slot = slot(of: bytes, Self.hash(bytes)), let request = slots[slot] else { return nil }
        uses += 1
        request.lastUse = uses
        return request
    }

    /// Remembers a head, in place of one that was not sent for a long time.
    ///
    /// - Parameters:
    ///   - request: what the decoder made of these bytes alone, see ``FastRequest/mayBeKnown``.
    ///   - peer: the address of the connection.
    ///   - lines: the values of `X-Forwarded-For`.
    func learn(_ bytes: ByteBuffer, _ request: FastRequest, from peer: SocketAddress?, forwardedFor lines: [String]) {
        guard Self.minimumHeadBytes...Self.maximumHeadBytes ~= bytes.readableBytes else { return }
        let hash = Self.hash(bytes)
        guard slot(of: bytes, hash) == nil else { return }
        let address = peer.flatMap { IPAddress($0) }.map { clients.client(of: $0, forwardedFor: lines).subscriber }
        if counts[address, default: 0] >= Self.maximumHeadsPerAddress { forgetOldest(of: address) }
        let (first, second) = Self.pair(hash)
        let slot = (slots[first]?.lastUse ?? 0) <= (slots[second]?.lastUse ?? 0) ? first : second
        forget(slot)
        uses += 1
        // A copy: the buffer of a read is larger, and shared with what else was read.
        let head = ByteBuffer(bytes: bytes.readableBytesView)
        slots[slot] = KnownRequest(head, request, from: address, lastUse: uses)
        counts[address, default: 0] += 1
    }

    private func slot(of bytes: ByteBuffer, _ hash: Int) -> Int? {
        let (first, second) = Self.pair(hash)
        if slots[first]?.head == bytes { return first }
        return slots[second]?.head == bytes ? second : nil
    }

    /// Two different places.
    private static func pair(_ hash: Int) -> (Int, Int) {
        let slot = Int(UInt(bitPattern: hash) % UInt(maximumHeads))
        return (slot, slot ^ 1)
    }

    /// A hash that is seeded differently in each process.
    private static func hash(_ bytes: ByteBuffer) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private func forgetOldest(of address: IPAddress?) {
        let mine = slots.indices.filter { slots[$0].map { $0.address == address } ?? false }
        if let oldest = mine.min(by: { (slots[$0]?.lastUse ?? 0) < (slots[$1]?.lastUse ?? 0) }) { forget(oldest) }
    }

    private func forget(_ slot: Int) {
        guard let request = slots[slot] else { return }
        slots[slot] = nil
        let count = counts[request.address, default: 0] - 1
        counts[request.address] = count > 0 ? count : nil
    }
}

extension ByteBuffer {
    /// Whether the first byte is that of `GET` or `HEAD`.
    fileprivate var beginsLikeKnownHead: Bool {
        let first = getInteger(at: readerIndex, as: UInt8.self)
        return first == UInt8(ascii: "G") || first == UInt8(ascii: "H")
    }
}

/// A request that was decoded from a head, and the response that was prepared for it last. To be used on one event loop
/// only.
package final class KnownRequest {
    /// The bytes of the head, in storage of their own.
    package let head: ByteBuffer
    package let request: FastRequest
    /// The client that sent it first; `nil` if it has no IP address.
    package let address: IPAddress?
    /// Greater than that of every request that was sent earlier.
    package var lastUse: UInt64
    /// Prepared by the responder, which checks its validity before each use.
    package var prepared: AnyObject?

    package init(_ head: ByteBuffer, _ request: FastRequest, from address: IPAddress?, lastUse: UInt64) {
        self.head = head
        self.request = request
        self.address = address
        self.lastUse = lastUse
    }
}
