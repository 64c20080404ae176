/// Runs `work` with a deadline. Returns its value, or `nil` if it takes longer than `limit` or the task is cancelled;
/// `work` is cancelled then.
///
/// AsyncHTTPClient's own deadline ends with the head of the response; this one covers the body.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
