import Foundation
import Hummingbird
import ServerCore
import ServerHTTP

/// The fields of a form (`application/x-www-form-urlencoded`).
struct FormBody: Sendable {
    /// The maximum number of fields, which is more than any form has.
    private static let maximumFields = 1_000

    private var fields: [String: String]

    /// - Throws: 400 for a field that occurs twice, is not UTF-8, or one field too many; 413 for a body that is too
    ///   large.
    init(_ request: Request, _ context: ServerContext) async throws {
        do {
            let body = try await request.wholeBody(.form, context)
            try self.init(String(buffer: body))
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
    }

    /// - Throws: as ``init(_:_:)``.
    init(_ text: String) throws {
        let pairs = text.split(separator: "&", maxSplits: Self.maximumFields)
        guard pairs.count <= Self.maximumFields else { throw Problem.invalidRequest("The form has too many fields.") }
        var fields: [String: String] = [:]
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first?.formDecoded, let value = (parts.dropFirst().first ?? "").formDecoded,
                fields.updateValue(value, forKey: name) == nil
            else { throw Problem.invalidRequest("The form cannot be read.") }
        }
        self.fields = fields
    }

    /// - Parameter fields: values by name.
    init(fields: [String: String]) { self.fields = fields }

    /// These fields, and those of another form that are not among them.
    func over(_ others: FormBody) -> FormBody {
        var form = self
        form.fields.merge(others.fields) { own, _ in own }
        return form
    }

    /// Whether the form has the field.
    func has(_ name: String) -> Bool { fields[name] != nil }

    /// The value of a field as it was typed; empty if the form does not have it.
    func untrimmed(_ name: String) -> String { fields[name] ?? "" }

    /// The value of a field, without white space around it; empty if the form does not have it.
    subscript(_ name: String) -> String { (fields[name] ?? "").trimmed }
}

extension BodyLimits {
    /// The limits of a form with the entry of a product.
    static let form = BodyLimits(
        maximumBytes: 4 * ProductEntry.maximumBytes, maximumTime: Limits.smallBodyTime, json: ProductEntry.limits)
}

extension StringProtocol {
    /// A name or a value of a form as it was entered; `nil` if it is not UTF-8.
    var formDecoded: String? { String(self).replacing("+", with: " ").removingPercentEncoding }
}
