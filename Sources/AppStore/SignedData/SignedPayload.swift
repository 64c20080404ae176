public import Foundation
public import InAppPurchase
import StrictJSON

/// A JSON object that the App Store signed.
public struct SignedPayload: Sendable {
    private let scanned: StrictJSON
    /// Whether it was signed by Xcode's StoreKit testing and not by the App Store.
    let isByXcode: Bool
    private let claims: RegisteredClaims?
    /// The date of signing as the object states it (`signedDate`, of an app transaction `receiptCreationDate`); `nil`
    /// if it states none.
    public let signedDate: Date?

    /// The object's bytes as they were signed.
    public var json: Data { scanned.bytes }

    /// - Throws: `malformed` for anything but an object, and for an invalid date.
    init(_ json: StrictJSON, isByXcode: Bool = false) throws(ReceiptRejection) {
        self.isByXcode = isByXcode
        scanned = json
        guard json.root.kind == .object else { throw ReceiptRejection(.malformed, "the payload cannot be read") }
        do {
            let members = SignedMembers(json.root)
            signedDate = try (members.date("signedDate") ?? members.date("receiptCreationDate"))?.date
            let hasClaims = RegisteredClaims.names.contains { json.root[$0] != nil }
            claims = hasClaims ? try json.decode(RegisteredClaims.self) : nil
        } catch {
            throw ReceiptRejection(.malformed, "the payload cannot be read")
        }
    }

    /// The object.
    var root: JSONPart { scanned.root }

    /// Whether the object has a member of this name, which distinguishes the kinds of signed data.
    public func has(_ member: String) -> Bool { scanned.root[member] != nil }

    /// - Throws: `malformed` if its registered claims say that it is not valid any more.
    func checkEnd(at now: Date) throws(ReceiptRejection) {
        guard claims?.isPast(at: now) != true else {
            throw ReceiptRejection(.malformed, "a JWT that is not good any more")
        }
    }

    /// - Throws: ``VerifierUnavailable`` if it was signed in the future, or its registered claims say that it is not
    ///   valid yet.
    func checkBegin(at now: Date) throws(VerifierUnavailable) {
        let begins = [signedDate?.addingTimeInterval(-SignedDataVerifier.clockSkew), claims?.begin].compactMap(\.self)
        if let begin = begins.max(), begin > now { throw VerifierUnavailable(until: begin) }
    }

    /// Decodes the object as `type`.
    ///
    /// - Throws: `malformed`; `unsupported` for a member of another type.
    public func decode<Payload: Decodable>(_ type: Payload.Type) throws(ReceiptRejection) -> Payload {
        do {
            return try scanned.decode(type)
        } catch DecodingError.typeMismatch {
            throw SignedMembers.ofAnotherType
        } catch {
            throw ReceiptRejection(.malformed, "the payload cannot be read as what it should be")
        }
    }
}
