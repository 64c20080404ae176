import Foundation

extension BundleStore {
    /// Tells the server which deliveries have arrived. What cannot be confirmed now is kept for the next time.
    func sendConfirmations() async {
        guard !isConfirming else { return }
        isConfirming = true
        defer { isConfirming = false }
        var tried: Set<BundleRecord.Confirmation> = []
        while let next = waitingConfirmations.first(where: { !tried.contains($0) }) {
            tried.insert(next)
            guard await isAnswered(next) else { return }
            removeConfirmation(next)
        }
    }

    private var waitingConfirmations: [BundleRecord.Confirmation] {
        records.values.flatMap(\.unconfirmed) + (tools.folder.outbox.loadIfReadable() ?? [])
    }

    private func removeConfirmation(_ confirmation: BundleRecord.Confirmation) {
        for (bundle, record) in records where record.unconfirmed.contains(confirmation) {
            try? change(bundle) { $0.unconfirmed.removeAll { $0 == confirmation } }
        }
        guard let outbox = tools.folder.outbox.loadIfReadable(), outbox.contains(confirmation) else { return }
        let rest = outbox.filter { $0 != confirmation }
        if rest.isEmpty { tools.folder.outbox.remove() } else { try? tools.folder.outbox.save(rest) }
    }

    /// Whether the server has accepted it, or never will.
    private func isAnswered(_ confirmation: BundleRecord.Confirmation) async -> Bool {
        do {
            let request = try APIRequest(.post, "v1", "deliveries", confirmation.delivery, "confirm")
                .json(["sha256": confirmation.sha256.text])
            _ = try await tools.session.send(request)
            return true
        } catch let problem as ServerProblem {
            // It belongs to another account, or to another manifest.
            return problem.status == 404 || problem.status == 422 || problem.status == 400
        } catch {
            return false
        }
    }
}
