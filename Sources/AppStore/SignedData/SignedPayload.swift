import Basics
public import Foundation
public import InAppPurchase

/// A JSON object that the App Store signed.
public struct SignedPayload: Sendable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Envelope: Decodable {
        var signedDate: Date?
        var members: Set<String>
        var claims: RegisteredClaims?

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Name.self)
            members = Set(object.allKeys.map(\.stringValue))
            signedDate =
                try object.decodeIfPresent(AppStoreDate.self, forKey: Name(stringValue: "signedDate"))?.date
                ?? object.decodeIfPresent(AppStoreDate.self, forKey: Name(stringValue: "receiptCreationDate"))?.date
            if !members.isDisjoint(with: RegisteredClaims.names) { claims = try RegisteredClaims(from: decoder) }
        }
    }

    private let scanned: StrictJSON
    /// Whether it was signed by Xcode's StoreKit testing and not by the App Store.
    let isByXcode: Bool
    private let envelope: Envelope

    /// The object's bytes as they were signed.
    public var json: Data { scanned.bytes }

    /// The date of signing as the object states it (`signedDate`, of an app transaction `receiptCreationDate`); `nil`
    /// if it states none.
    public var signedDate: Date? { envelope.signedDate }

    /// - Throws: `malformed` for anything but an object, and for an invalid date.
    init(_ json: StrictJSON, isByXcode: Bool = false) throws(ReceiptRejection) {
        self.isByXcode = isByXcode
        scanned = json
        do {
            envelope = try json.decode(Envelope.self)
        } catch {
            throw ReceiptRejection(.malformed, "the payload cannot be read")
        }
    }

    /// Whether the object has a member of this name, which distinguishes the kinds of signed data.
    public func has(_ member: String) -> Bool { envelope.members.contains(member) }

    /// - Throws: `malformed` if it was signed in the future, or its registered claims say that it is not valid now.
    func checkTimes(at now: Date) throws(ReceiptRejection) {
        if let signedDate, signedDate > now.addingTimeInterval(SignedDataVerifier.clockSkew) {
            throw ReceiptRejection(.malformed, "signed in the future")
        }
        guard envelope.claims?.isGood(at: now) ?? true else {
            throw ReceiptRejection(.malformed, "a JWT that is not good now")
        }
    }

    /// Decodes the object as `type`.
    ///
    /// - Throws: `malformed`
    public func decode<Payload: Decodable>(_ type: Payload.Type) throws(ReceiptRejection) -> Payload {
        do {
            return try scanned.decode(type)
        } catch {
            throw ReceiptRejection(.malformed, "the payload cannot be read as what it should be")
        }
    }
}
