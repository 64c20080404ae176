import HTTPTypes
import Hummingbird
import InAppPurchase
import ServerHTTP

extension Request {
    /// The value of `Idempotency-Key`.
    /// - Throws: 400 if it is missing, too long, not ASCII or has control characters.
    package var idempotencyKey: String {
        get throws {
            let lengths = 1...Limits.idempotencyKeyCharacters
            guard let key = headers[.idempotencyKey], key.isIdempotencyKey(of: lengths) else {
                throw Problem.invalidRequest("The header Idempotency-Key is needed, of \(lengths.words).")
            }
            return key
        }
    }

    /// The value of `Idempotency-Key`; `nil` without the header.
    /// - Throws: as ``idempotencyKey``.
    var optionalIdempotencyKey: String? { get throws { headers[.idempotencyKey] == nil ? nil : try idempotencyKey } }

    /// The value of `Idempotency-Key` of a request for a new account, or `nil`. There is no account yet to which the
    /// key could belong: it is one of everybody's keys, and must not be guessable.
    /// - Throws: 400 if it is too short, too long, not ASCII or has control characters.
    var accountKey: String? {
        get throws {
            guard let key = headers[.idempotencyKey] else { return nil }
            let lengths = Limits.minimumAccountKeyCharacters...Limits.idempotencyKeyCharacters
            guard key.isIdempotencyKey(of: lengths) else {
                throw Problem.invalidRequest("The header Idempotency-Key must be of \(lengths.words).")
            }
            return key
        }
    }
}

extension String {
    /// Whether it is ASCII of such a length without control characters. Bytes that are not UTF-8 would all be decoded
    /// alike, and repeat one another's request.
    fileprivate func isIdempotencyKey(of lengths: ClosedRange<Int>) -> Bool {
        utf8.allSatisfy { $0 < 0x80 } && !hasControlCharacters && lengths.contains(utf8.count)
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String {
        "\(lowerBound) to \(upperBound) ASCII characters, none of them a control character"
    }
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = Self("Idempotency-Key")!
}
