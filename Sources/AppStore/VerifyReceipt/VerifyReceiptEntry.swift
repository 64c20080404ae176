import Foundation
import InAppPurchase
import StrictJSON

/// One object of a verifyReceipt response. A scalar may be a string, a number or a boolean; an empty string is absent.
struct VerifyReceiptEntry {
    private var members: [String: String] = [:]

    /// The scalars of an object; empty if there is no object.
    init(_ part: JSONPart?) {
        for (name, value) in part?.members ?? [] {
            guard let name = name.string, let text = value.scalarText, members[name] == nil else { continue }
            members[name] = text
        }
    }

    func text(_ name: String) -> String? {
        guard let text = members[name], !text.isEmpty else { return nil }
        return text
    }

    func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    func flag(_ name: String) -> Bool? {
        switch text(name) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A date, from `name_ms` if present; otherwise from `name`, which is milliseconds or a time in GMT; otherwise from
    /// `name_formatted`, the iOS 6 style's name for the latter.
    func date(_ name: String) -> Date? {
        text("\(name)_ms").flatMap(Date.init(milliseconds:))
            ?? text(name).flatMap { Date(milliseconds: $0) ?? Date(gmt: $0) }
            ?? text("\(name)_formatted").flatMap(Date.init(gmt:))
    }
}

extension JSONPart {
    /// A string, a whole number or a boolean as a string; `nil` for anything else.
    fileprivate var scalarText: String? {
        switch kind {
        case .string: string
        case .number: integer(Int64.self).map { String($0) } ?? integer(UInt64.self).map { String($0) }
        case .bool: bool.map { String($0) }
        case .null, .array, .object: nil
        }
    }
}

extension Date {
    /// Reads decimal digits: milliseconds since 1970-01-01 UTC.
    fileprivate init?(milliseconds text: String) {
        guard let milliseconds = Int(text), AppStoreBounds.milliseconds.contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// Reads `2026-11-20 21:37:00 Etc/GMT`, 24 hours. No other time zone is read.
    fileprivate init?(gmt text: String) {
        let suffix = " Etc/GMT"
        guard text.hasSuffix(suffix) else { return nil }
        self.init(rfc3339: text.dropLast(suffix.count).replacing(" ", with: "T") + "Z")
    }
}
