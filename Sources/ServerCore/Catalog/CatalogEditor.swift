import Basics
import Content
import Foundation
import InAppPurchase
import Ledger
import NIOPosix
import ServerHTTP
import SystemPackage

/// Edits `products.json` while it is served: one edit at a time across all processes of the machine, each on the file
/// as it is when its turn comes.
struct CatalogEditor: CatalogEditing {
    /// The process's action after a file was written.
    enum Effect: Sendable {
        /// Nothing: running servers find the file.
        case none
        case serve(CatalogActivation)
    }

    let path: String
    let handlers: [any ProductHandler.Type]
    let bundles: @Sendable () -> [BundleName]
    let trail: CatalogAudit
    let effect: Effect
    private let queue = SerialQueue()

    init(
        path: String, handlers: [any ProductHandler.Type], bundles: @escaping @Sendable () -> [BundleName],
        trail: CatalogAudit, effect: Effect
    ) {
        self.path = path
        self.handlers = handlers
        self.bundles = bundles
        self.trail = trail
        self.effect = effect
    }

    /// Checks, records, writes and serves the edit, in this order. A repeated edit changes nothing, and nothing is
    /// recorded.
    ///
    /// Once begun it is completed, even if the client has disconnected.
    /// - Throws: ``CatalogRefusal``, ``/Ledger/LedgerUnavailable``, ``/ServerHTTP/Problem``; the file is then
    ///   unchanged, unless the refusal says otherwise.
    func apply<Edit: CatalogOperation>(
        _ edit: Edit, by administrator: Administrator, reason: EditReason? = nil, at date: Date
    ) async throws -> Edit.Change {
        try await Task {
            do {
                return try await queue.run { try await applyLocked(edit, by: administrator, reason: reason, at: date) }
            } catch is SerialQueue.Unavailable {
                throw CatalogRefusal.busy
            } catch let failure as FolderLock.Unavailable {
                throw CatalogRefusal(failure)
            }
        }.value
    }

    private func applyLocked<Edit: CatalogOperation>(
        _ edit: Edit, by administrator: Administrator, reason: EditReason?, at date: Date
    ) async throws -> Edit.Change {
        let target = try await resolved()
        return try await FolderLock.whileHeld(on: target.removingLastComponent()) {
            guard try await resolved() == target else { throw CatalogRefusal.busy }
            let change = try await check(edit, by: administrator)
            try await trail.recordHandEdit(from: served, to: change.files.old, at: date)
            guard change.outcome != .unchanged else { return change }
            try await commit(change, to: target, by: administrator.actor, reason: reason, at: date)
            return change
        }
    }

    private var served: CatalogFile? {
        switch effect {
        case .none: nil
        case .serve(let activation): activation.live.current
        }
    }

    private func resolved() async throws -> FilePath {
        do {
            return try await NIOThreadPool.singleton.runIfActive { try FileReplacement.resolve(path) }
        } catch let error as Errno {
            throw CatalogRefusal.invalidCatalog("the file cannot be found: \(error)")
        }
    }

    func check<Edit: CatalogOperation>(_ edit: Edit, by administrator: Administrator) async throws -> Edit.Change {
        let change = try await NIOThreadPool.singleton.runIfActive {
            let bundles = bundles()
            let file: CatalogFile
            do {
                file = try CatalogFile(CatalogFile.read(path), bundles: bundles, handlers: handlers)
            } catch let error as CatalogError {
                throw administrator.refusal(of: error)
            }
            return try edit.change(of: file, bundles: bundles, handlers: handlers)
        }
        try administrator.requireBundles(of: change)
        try await edit.check(change, against: trail.ledger)
        return change
    }

    /// Records the edit before writing it, so that every change has its audit row.
    private func commit(
        _ change: some RecordedChange, to target: FilePath, by actor: AuditActor, reason: EditReason?, at date: Date
    ) async throws {
        try await trail.append(change, by: actor, reason: reason, at: date)
        let isConfirmed: Bool
        do {
            isConfirmed = try await NIOThreadPool.singleton.runIfActive {
                try FileReplacement(target: target).write(change.files.new.bytes)
            }
        } catch {
            let refusal = (error as? Errno).map(CatalogRefusal.notWritable) ?? .notWritable("\(error)")
            try await trail.retract(change, by: actor, because: "\(error)", at: date)
            throw refusal
        }
        if case .serve(let activation) = effect { _ = await activation.reload(change.files.new) }
        guard isConfirmed else {
            throw CatalogRefusal.notWritable("the catalog is replaced, but the disk does not confirm it; look at it")
        }
    }
}
