import Foundation

extension Quartermaster {
    /// The wait before entitlements that could not be fetched after a delivery are requested again.
    private static let retryWait: TimeInterval = 60
    /// The minimum wait: an access may have ended here while the server still says that it is granted.
    private static let minimumWait: TimeInterval = 1

    /// Schedules a refresh for the next end of access: the end is then shown, and the server is asked whether a
    /// subscription has renewed.
    func planWake() {
        let ends = entitlements.value?.entitlements.filter { $0.hasAccess(at: time.now) }.compactMap(\.end) ?? []
        let retry = needsEntitlements ? [time.now.addingTimeInterval(Self.retryWait)] : []
        guard let next = (ends + retry + askedToBuy.ends(after: time.now)).min(), isStarted,
            wake.map({ next < $0.at }) ?? true
        else { return }
        wake?.task.cancel()
        let wait = max(next.timeIntervalSince(time.now), Self.minimumWait)
        wake = (next, Task { await self.lookAgain(after: .seconds(wait)) })
    }

    private func lookAgain(after wait: Duration) async {
        guard (try? await configuration.clock.sleep(wait)) != nil else { return }
        wake = nil
        // Shown at once: the server may be out of reach.
        await publish()
        do {
            try await refreshAfterDelivery()
        } catch is SignedOut {
            // They are requested when the player has signed in.
            needsEntitlements = false
        } catch {}
        await publish()
    }
}
