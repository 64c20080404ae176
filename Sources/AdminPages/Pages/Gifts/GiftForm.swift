import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerCore
import ServerHTTP
import StrictJSON

/// The form with a list of accounts, as a file or in a field.
struct GiftForm {
    /// The values that the fields beside the list may have.
    private static let fieldBytes = 16 << 10

    private static let limits = BodyLimits(
        maximumBytes: 2 * AccountList.maximumBytes + fieldBytes, maximumTime: Limits.smallBodyTime,
        json: BodyLimits.small.json)

    let fields: FormBody

    /// Reads the form.
    ///
    /// - Throws: 400 for a form that cannot be read; 403 for one that no page of this session sent; 413 for one that is
    ///   too large.
    init(_ visit: Visit, _ secret: String) async throws {
        do {
            var parser = try MultipartParser(contentType: visit.request.headers[.contentType])
            let body = try await visit.request.wholeBody(Self.limits, visit.context)
            let events = try parser.read(body)
            try parser.finish()
            fields = FormBody(fields: try Self.fields(events))
        } catch let error as MultipartError {
            throw Problem.invalidRequest(error.rawValue)
        } catch is BodySizeError { throw Problem.requestTooLarge }
        guard SessionCookie.isFormToken(fields[Form.csrfField], of: secret) else { throw Problem.foreignForm }
    }

    private static func fields(_ events: [MultipartParser.Event]) throws -> [String: String] {
        var (fields, name, value) = ([String: String](), "", ByteBuffer())
        for event in events {
            switch event {
            case .part(let head): (name, value) = (head.name, ByteBuffer())
            case .bytes(let bytes): value.writeImmutableBuffer(bytes)
            case .end:
                guard let text = String(validating: value.readableBytesView, as: UTF8.self) else {
                    throw Problem.invalidRequest("\(name): not UTF-8; save the file as UTF-8")
                }
                guard fields.updateValue(text, forKey: name) == nil else {
                    throw Problem.invalidRequest("\(name): twice")
                }
            }
        }
        return fields
    }

    /// The fields with the names of the list as one that the next form can carry.
    ///
    /// - Throws: 422 unless there is either a file or text with accounts.
    func withList() throws -> FormBody {
        guard fields["file"].isEmpty || fields["accounts"].isEmpty else { throw Problem.twoLists }
        let list = try AccountList(file: fields.untrimmed(fields["file"].isEmpty ? "accounts" : "file"))
        return FormBody(fields: ["list": String(decoding: try JSONEncoder().encode(list.names), as: UTF8.self)])
            .over(fields)
    }

    /// The list that ``withList()`` wrote.
    ///
    /// - Throws: 422 for anything else.
    static func list(_ text: String?) throws -> AccountList {
        guard let names = try? JSONDecoder().decode([String].self, from: Data((text ?? "").utf8)) else {
            throw Problem.wrongAccountList
        }
        return try AccountList(names: names)
    }
}

extension Problem {
    fileprivate static let twoLists = Problem(
        .unprocessableContent, "invalid_request", "There are two lists of accounts",
        detail: "accounts: leave it empty, or choose no file")
}
