#if canImport(StoreKit)
    import StoreKit

    extension AppStoreSource {
        /// Each unfinished transaction and each new one: purchases on other devices, approved ones (Ask to Buy),
        /// renewals, refunds, offer codes. Read it from launch on, once, for the life of the process.
        public var updates: AsyncStream<SignedTransaction> {
            AsyncStream { continuation in
                let task = Task {
                    await withTaskGroup(of: Void.self) { group in
                        // At the same time: what comes while the unfinished ones are read must not be missed.
                        group.addTask { await pass(Transaction.updates, to: continuation) }
                        group.addTask { await pass(Transaction.unfinished, to: continuation) }
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }

        private func pass(
            _ transactions: Transaction.Transactions, to continuation: AsyncStream<SignedTransaction>.Continuation
        ) async {
            for await verification in transactions { continuation.yield(await store.add(verification)) }
        }
    }
#endif
