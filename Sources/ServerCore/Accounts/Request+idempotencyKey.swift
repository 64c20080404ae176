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
    /// - Throws: 400 if it is too short, too long, not ASCII or has control characters, or is obviously not random.
    var accountKey: String? {
        get throws {
            guard let key = headers[.idempotencyKey] else { return nil }
            let lengths = Limits.minimumAccountKeyCharacters...Limits.idempotencyKeyCharacters
            guard key.isIdempotencyKey(of: lengths) else {
                throw Problem.invalidRequest("The header Idempotency-Key must be of \(lengths.words).")
            }
            guard key.isVaried else {
                throw Problem.invalidRequest(
                    "The header Idempotency-Key must be 128 random bits, such as two UUIDs; this is a pattern.")
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

    /// Whether it has enough different characters, and enough different steps from one to the next: zeros, alternating
    /// characters and the alphabet have not.
    ///
    /// Random keys have. For each of k characters, of an alphabet of a ≥ 10, to be one of five, or to be one of five
    /// steps from its neighbour, has a probability of at most (5/a)^(k-1), times the choices of five. With 128 bits
    /// that is 12,000 × (1/2)^38 in decimal digits, 4 × 10^-8, and less in every larger alphabet: 6,000,000 × (5/16)^29
    /// in a UUID, 10^-8. Two UUIDs, as the client library sends, have less than 10^-20.
    var isVaried: Bool {
        let characters = utf8.map(Int.init)
        let steps = zip(characters, characters.dropFirst()).map { $1 - $0 }
        return min(Set(characters).count, Set(steps).count) >= Limits.minimumAccountKeyVariety
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
