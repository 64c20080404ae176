import Foundation

/// The products whose purchase somebody has to approve. StoreKit lists them nowhere, and tells nobody that a request
/// was declined: they are remembered for the shop as long as a request lasts.
struct AskedToBuy: Sendable {
    /// The time after which a request that nobody has answered is over, in seconds.
    static let lifetime: TimeInterval = 86_400

    private let file: StoredFile<[String: Date]>
    /// When each was asked for.
    private var times: [String: Date]

    init(folder: URL) {
        file = StoredFile(folder.appendingPathComponent("asked-to-buy.json"), format: 2)
        times = file.loadIfReadable() ?? [:]
    }

    /// Whether the request for a product has not ended.
    func contains(_ product: String, at now: Date) -> Bool { times[product].map { Self.lasts($0, at: now) } ?? false }

    /// The ends of the requests that last.
    func ends(after now: Date) -> [Date] {
        times.values.filter { Self.lasts($0, at: now) }.map { $0.addingTimeInterval(Self.lifetime) }
    }

    mutating func insert(_ product: String, at now: Date) {
        times = times.filter { Self.lasts($0.value, at: now) }
        times[product] = now
        try? file.save(times)
    }

    /// Removes a product whose purchase has arrived. The second time nothing happens.
    mutating func remove(_ product: String) {
        guard times.removeValue(forKey: product) != nil else { return }
        try? file.save(times)
    }

    /// A time that is ahead comes from a clock that the player has set.
    private static func lasts(_ asked: Date, at now: Date) -> Bool {
        abs(now.timeIntervalSince(asked)) < lifetime
    }
}
