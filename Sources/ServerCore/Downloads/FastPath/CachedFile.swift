import Content
import Foundation
import NIOCore
import ServerHTTP
import Synchronization

/// A file in the cache, ready to be sent.
package final class CachedFile: Sendable {
    enum Bytes: Sendable {
        case ready(ByteBuffer)
        case open(OpenContent)
    }

    /// The maximum number of grants cached for a file, 16 KB at most. All manifests issued within one second have the
    /// same grant.
    private static let maximumGrants = 128

    let representation: Representation
    let location: ContentLocation
    let size: Int
    /// The header lines of every response with the file.
    let fields: ByteBuffer
    /// The header lines of a 304.
    let notModifiedFields: ByteBuffer
    private let bytes: Bytes
    /// The grants that were verified for the file, with their expiry.
    private let grants = Mutex<[String: Date]>([:])
    // Seconds since 1970.
    private let checked: Atomic<Double>
    private let used: Atomic<Double>

    init(_ representation: Representation, location: ContentLocation, size: Int, bytes: Bytes, at date: Date) {
        self.representation = representation
        self.location = location
        self.size = size
        self.bytes = bytes
        fields = AnswerHead.lines(representation.headers)
        notModifiedFields = AnswerHead.lines(representation.notModifiedHeaders)
        checked = Atomic(date.timeIntervalSince1970)
        used = Atomic(date.timeIntervalSince1970)
    }

    var readyBytes: Int { if case .ready(let bytes) = bytes { bytes.readableBytes } else { 0 } }

    /// The bytes of a range within the size.
    ///
    /// - Returns: `nil` if the system has no file descriptor left.
    func part(first: Int, last: Int) -> FastAnswer.Body? {
        switch bytes {
        case .ready(let bytes):
            bytes.getSlice(at: bytes.readerIndex + first, length: last - first + 1).map { .bytes($0) }
        case .open(let file): FileRegion(of: file, first: first, last: last).map { .file($0, of: file) }
        }
    }

    /// The time when the grant expires; `nil` if it is not valid for the file now. A verified grant is cached until it
    /// expires.
    func end(of grant: String, _ signer: GrantSigner, at date: Date) -> Date? {
        if let end = grants.withLock({ $0[grant] }) { return date < end ? end : nil }
        guard let end = signer.end(of: grant, opening: representation.sha256, at: date) else { return nil }
        grants.withLock { grants in
            if grants.count >= Self.maximumGrants { grants = [:] }
            grants[grant] = end
        }
        return end
    }

    /// Records that the content repository still has the file.
    func check(at date: Date) { checked.store(date.timeIntervalSince1970, ordering: .relaxed) }

    /// Records that the file was removed from the cache. It is never fresh again.
    func retire() { checked.store(-.infinity, ordering: .relaxed) }

    func use(at date: Date) { used.store(date.timeIntervalSince1970, ordering: .relaxed) }

    var lastUse: Double { used.load(ordering: .relaxed) }

    func isFresh(at date: Date) -> Bool {
        abs(date.timeIntervalSince1970 - checked.load(ordering: .relaxed)) <= ContentCache.freshSeconds
    }

    func isIdle(at date: Date) -> Bool { abs(date.timeIntervalSince1970 - lastUse) > ContentCache.idleSeconds }
}
