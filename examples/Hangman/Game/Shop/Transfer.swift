/// How far a download is.
package struct Transfer: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        case checking, downloading, paused, installing
        /// It ended without an installed version, for a reason in words.
        case failed(String)
    }

    package var phase: Phase
    package var received: Int
    package var total: Int

    package init(_ phase: Phase, received: Int = 0, total: Int = 0) {
        self.phase = phase
        self.received = received
        self.total = total
    }

    /// 0 to 100, rounded down.
    package var percent: Int {
        guard total > 0, received > 0 else { return 0 }
        return Int(min(1, Double(received) / Double(total)) * 100)
    }

    /// A few words for a list.
    package var text: String {
        switch phase {
        case .checking: "checking"
        case .downloading: "↓ \(percent) %"
        case .paused: "paused at \(percent) %"
        case .installing: "installing"
        case .failed: "failed"
        }
    }

    /// Whether it goes on by itself.
    package var isRunning: Bool {
        switch phase {
        case .checking, .downloading, .installing: true
        case .paused, .failed: false
        }
    }
}
