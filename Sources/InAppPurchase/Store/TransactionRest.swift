import Foundation
package import StrictJSON

/// The members of a transaction that are not among its ``TransactionColumns``, as the ledger stores them: members that
/// have their usual value are left out.
package struct TransactionRest: Decodable {
    private enum Member: String, CodingKey {
        case appAccountToken, details, isSigned, isUpgraded, originalPurchaseDate, ownershipType, productType, quantity
        case revocation, signedDate, statedDates, subscriptionGroupID
    }

    private let members: KeyedDecodingContainer<Member>

    package init(from decoder: any Decoder) throws { members = try decoder.container(keyedBy: Member.self) }

    /// The whole transaction.
    package func transaction(_ columns: TransactionColumns) throws -> Transaction {
        var transaction = Transaction(
            id: columns.id, originalID: columns.originalID, app: columns.app, environment: columns.environment,
            productID: columns.productID,
            productType: try members.decodeIfPresent(ProductType.self, forKey: .productType),
            quantity: try members.decodeIfPresent(Int.self, forKey: .quantity) ?? 1,
            purchaseDate: columns.purchaseDate, expirationDate: columns.expirationDate,
            revocation: try members.decodeIfPresent(Transaction.Revocation.self, forKey: .revocation),
            isUpgraded: try members.decodeIfPresent(Bool.self, forKey: .isUpgraded) ?? false,
            ownershipType: try members.decodeIfPresent(Transaction.OwnershipType.self, forKey: .ownershipType)
                ?? .purchased, appAccountToken: try members.decodeIfPresent(UUID.self, forKey: .appAccountToken),
            subscriptionGroupID: try members.decodeIfPresent(String.self, forKey: .subscriptionGroupID),
            details: try members.decodeIfPresent(PurchaseDetails.self, forKey: .details),
            signedDate: try members.decode(Date.self, forKey: .signedDate),
            isSigned: try members.decodeIfPresent(Bool.self, forKey: .isSigned) ?? true)
        transaction.originalPurchaseDate =
            members.contains(.originalPurchaseDate)
            ? try members.decodeIfPresent(Date.self, forKey: .originalPurchaseDate) : columns.purchaseDate
        transaction.statedDates = try members.decodeIfPresent([String: Date].self, forKey: .statedDates) ?? [:]
        return transaction
    }
}

extension Transaction {
    /// Writes what is not in its ``TransactionColumns``: the members of its `Encodable` form sorted by name, times in
    /// whole milliseconds, without members that have their usual value.
    package func writeRest(to json: inout JSONWriter) {
        json.object { json in
            json.member("appAccountToken", appAccountToken?.uuidString)
            if let details {
                json.name("details")
                details.write(to: &json)
            }
            if !isSigned { json.member("isSigned", isSigned) }
            if isUpgraded { json.member("isUpgraded", isUpgraded) }
            if originalPurchaseDate?.milliseconds != purchaseDate.milliseconds {
                json.name("originalPurchaseDate")
                originalPurchaseDate.map { json.append($0.milliseconds) } ?? json.appendNull()
            }
            if ownershipType != .purchased { json.member("ownershipType", ownershipType.rawValue) }
            json.member("productType", productType?.rawValue)
            if quantity != 1 { json.member("quantity", quantity) }
            if let revocation {
                json.name("revocation")
                revocation.write(to: &json)
            }
            json.member("signedDate", signedDate.milliseconds)
            if !statedDates.isEmpty { writeStatedDates(to: &json) }
            json.member("subscriptionGroupID", subscriptionGroupID)
        }
    }

    func writeStatedDates(to json: inout JSONWriter) {
        json.name("statedDates")
        json.object { json in
            for (name, date) in statedDates.sorted(by: { $0.key < $1.key }) {
                json.name(text: name)
                json.append(date.milliseconds)
            }
        }
    }
}
