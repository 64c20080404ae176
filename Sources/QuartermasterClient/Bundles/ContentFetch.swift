import Foundation

/// Fetches content by its link, in pieces, and continues where it was interrupted.
///
/// The link is all that opens the content: no request has an access token, since the answer may lead to another host.
struct ContentFetch: Sendable {
    /// The content to fetch, and the file that it goes to.
    struct Job: Sendable {
        let sha256: ContentHash
        let size: Int
        let link: String
        /// The target. When the job is done it has as many bytes as the content; whether they are right is not known
        /// then.
        let file: URL
        let networks: AllowedNetworks
        /// The maximum number of attempts in a row that bring nothing.
        var attempts = BundleLimits.fruitlessAttempts
    }

    let api: API
    /// The app's own, or that of ``api``.
    let transport: any ContentTransport
    let clock: ClientClock

    /// The state that the attempts at one job share.
    private struct Attempts {
        var piece = PieceSize()
        var backoff = Backoff(base: BundleLimits.firstWait, maximum: BundleLimits.maximumWait)
        var fruitless = 0
        /// The deadline of a request; longer once the server has sent the whole file in place of a range.
        var deadline = BundleLimits.pieceDeadline

        mutating func count(new bytes: Int, of job: Job) throws {
            fruitless = bytes > 0 ? 0 : fruitless + 1
            if bytes > 0 { backoff.reset() }
            guard fruitless < job.attempts else { throw DownloadError.offline }
        }
    }

    /// Fetches what is not here yet.
    ///
    /// - Parameter received: is called with the number of bytes that arrived, or, below zero, that are no longer here.
    /// - Throws: ``ContentRefusal/link``; ``DownloadError/offline`` after as many attempts as the job allows;
    ///   `CancellationError`; or an error of the file system. What has arrived stays.
    func run(_ job: Job, received: @escaping @Sendable (Int) -> Void) async throws {
        var attempts = Attempts()
        while let offset = try offset(of: job, received: received) {
            do {
                try await attempt(job, from: offset, &attempts, received: received)
            } catch let error as ContentRefusal where error == .range {
                // What is here is not the beginning of what the server has.
                try FileManager.default.removeItem(at: job.file)
                received(-offset)
            } catch {
                guard Self.isTemporary(error) else { throw error }
                let wait = attempts.backoff.next(fraction: clock.fraction(), retryAfter: Self.retryAfter(error))
                try await clock.sleep(wait)
            }
            try attempts.count(new: (PartialFile.size(of: job.file) ?? 0) - offset, of: job)
        }
    }

    /// The number of bytes that are here, or `nil` if the file is complete.
    private func offset(of job: Job, received: @Sendable (Int) -> Void) throws -> Int? {
        try Task.checkCancellation()
        let here = PartialFile.size(of: job.file) ?? 0
        if here > job.size {
            try FileManager.default.removeItem(at: job.file)
            received(-job.size)
            return job.size == 0 ? try offset(of: job, received: received) : 0
        }
        guard here == job.size else { return here }
        if job.size == 0 { try Data().write(to: job.file) }
        return nil
    }

    private func attempt(
        _ job: Job, from offset: Int, _ attempts: inout Attempts, received: @escaping @Sendable (Int) -> Void
    ) async throws {
        let address = api.addresses.current
        guard let url = api.url(link: job.link, at: address), url.scheme == "https" || api.server.scheme != "https"
        else {
            throw ContentRefusal.link
        }
        try api.transport.checkIsOnline()
        let asked = range(of: job, from: offset, piece: attempts.piece.bytes)
        let request = ContentRequest(
            url: url, headers: headers(of: job, asked), deadline: attempts.deadline, content: job.sha256.text,
            start: offset, count: asked?.count ?? job.size, networks: job.networks)
        let sink = try PartialFile(job.file, size: job.size, asked: asked, received: received)
        defer {
            sink.announce(0)
            if asked != nil, sink.isWhole { attempts.deadline = BundleLimits.wholeDeadline }
        }
        let start = clock.uptime()
        do {
            try await transport.receive(request, into: ContentSink(file: sink))
        } catch let error as ConnectionError {
            api.addresses.leave(address, after: error)
            throw error
        }
        attempts.piece.adapt(to: clock.uptime() - start)
    }

    /// The range to request; `nil` for a file of which nothing is here that is requested whole: a small one, in any
    /// encoding, and all that the system fetches, since it continues by itself what is no range.
    private func range(of job: Job, from offset: Int, piece: Int) -> Range<Int>? {
        let isWhole = offset == 0 && (transport.isBackground || job.size <= BundleLimits.wholeBytes)
        guard !isWhole else { return nil }
        return offset..<min(offset + (transport.isBackground ? BundleLimits.backgroundRange : piece), job.size)
    }

    private func headers(of job: Job, _ asked: Range<Int>?) -> [String: String] {
        guard let asked else { return job.size > BundleLimits.wholeBytes ? ["Accept-Encoding": "identity"] : [:] }
        return [
            "Range": "bytes=\(asked.lowerBound)-\(asked.upperBound - 1)", "If-Range": "\"\(job.sha256.text)\"",
            "Accept-Encoding": "identity",
        ]
    }

    private static func isTemporary(_ error: any Error) -> Bool {
        switch error {
        case ConnectionError.insecure, ConnectionError.networkNotAllowed: false
        case is ConnectionError, is URLError: true
        case let refusal as ContentRefusal: refusal != .link
        default: false
        }
    }

    private static func retryAfter(_ error: any Error) -> Duration? {
        guard case .status(_, let wait) = error as? ContentRefusal else { return nil }
        return wait
    }
}

/// The size of a range to request: as much as arrives in one to four seconds.
struct PieceSize: Sendable {
    /// The size in bytes.
    private(set) var bytes = BundleLimits.firstPiece

    /// Adapts the size to how long a whole piece of it took.
    mutating func adapt(to duration: Duration) {
        let limits = BundleLimits.pieces
        if duration < BundleLimits.fastPiece { bytes = min(bytes * 2, limits.upperBound) }
        if duration > BundleLimits.slowPiece { bytes = max(bytes / 2, limits.lowerBound) }
    }
}

/// An unusable answer to a request for content.
enum ContentRefusal: Error, Equatable {
    /// The link does not open the content, or the content is gone: the manifest has other links.
    case link
    /// The range is not in the file as the server has it.
    case range
    /// The bytes are from another place than requested, or encoded.
    case otherBytes
    /// More bytes than the file has.
    case tooLong
    /// Another status.
    case status(Int, retryAfter: Duration?)
}
