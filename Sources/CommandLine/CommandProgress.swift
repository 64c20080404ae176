import Foundation
import ServerCore
import ServerHTTP

/// The progress of a command's step that counts what is done.
struct CommandProgress: Hashable, Sendable {
    /// The unit that is counted.
    enum Unit: Hashable, Sendable {
        case bytes
        /// The plural of a word: `rows`, `accounts`.
        case things(String)
    }

    /// The step, such as `copied`; another verb begins another step.
    var verb: String
    var unit: Unit
    var done: Int
    /// The number of units in all; `nil` if it is not known.
    var total: Int?

    /// The progress as text, such as `verified 12000 of 340000 rows, 8200/s, 40 s left` or `copied 12.5 MB of 40.0 MB,
    /// 8.2 MB/s, 4 s left`.
    ///
    /// - Parameter elapsed: seconds since the step began.
    func text(after elapsed: TimeInterval) -> String {
        var parts = ["\(verb) \(amount(Double(done)))"]
        if let total { parts[0] += " of \(amount(Double(total)))" }
        if case .things(let name) = unit { parts[0] += " \(name)" }
        guard elapsed > 0, done > 0 else { return parts[0] }
        let rate = Double(done) / elapsed
        if case .things = unit, Int(exactly: rate.rounded()) == nil { return parts[0] }
        parts.append("\(amount(rate.rounded()))/s")
        if let total, let left = Int(exactly: (Double(max(total - done, 0)) / rate).rounded(.up)) {
            parts.append("\(left) s left")
        }
        return parts.joined(separator: ", ")
    }

    private func amount(_ count: Double) -> String {
        switch unit {
        case .bytes: Self.bytes(count)
        case .things: "\(Int(clamping: count))"
        }
    }

    /// A size in powers of 1000, as disks and networks are sold.
    static func bytes(_ count: Double) -> String {
        let (units, step) = (["kB", "MB", "GB", "TB"], 1_000.0)
        guard count >= step else { return "\(Int(clamping: count)) B" }
        var (value, unit) = (count / step, 0)
        while value >= step, unit < units.count - 1 { (value, unit) = (value / step, unit + 1) }
        return String(format: "%.1f %@", value, units[unit])
    }
}

extension CommandProgress {
    /// The progress of verifying an audit trail; checkpoints are counted among the rows.
    static func verified(rows: Int) -> CommandProgress {
        CommandProgress(verb: "verified", unit: .things("rows of the audit trail"), done: rows)
    }

    /// The progress of packing receipts, most of which may be packed already.
    static func lookedAt(receipts: Int) -> CommandProgress {
        CommandProgress(verb: "looked at", unit: .things("receipts"), done: receipts)
    }

    /// The progress of folding histories again.
    static func checked(accounts: Int, of total: Int) -> CommandProgress {
        CommandProgress(verb: "checked", unit: .things("accounts"), done: accounts, total: total)
    }
}
