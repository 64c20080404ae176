import Basics
import InAppPurchase
import Ledger
import NIOCore

// Byte for byte what `JSONCoding.encode` writes: each receipt is answered so, and a piece for each value costs more.
extension ReceiptBody {
    func json(times: TimeFormat = .wholeSeconds) throws -> ByteBuffer {
        var json = JSONWriter(capacity: 1_024)
        let entitlements = try entitlements.map { try $0.json(times: times) }
        json.object { json in
            json.name("balances")
            json.object { json in
                for (currency, amount) in balances.map({ ($0.key.text, $0.value) })
                    .sorted(by: { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
                {
                    json.member(currency, amount)
                }
            }
            json.member("duplicate", duplicate)
            json.name("entitlements")
            json.array { json in
                for entitlement in entitlements { json.element(json: entitlement) }
            }
            json.member("finish", finish)
            json.member("reason", reason?.rawValue)
            json.member("receipt", receipt)
            json.member("status", status.rawValue)
            json.name("transactions")
            json.array { json in
                for transaction in transactions {
                    json.element()
                    transaction.write(to: &json)
                }
            }
        }
        return ByteBuffer(bytes: json.bytes)
    }
}

extension ReceiptBody.TransactionBody {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("environment", environment.rawValue)
            json.member("finish", finish)
            json.member("id", id.text)
            json.member("originalID", originalID.text)
            json.member("outcome", outcome)
            json.member("product", product.text)
            json.member("reason", reason?.rawValue)
            json.member("remedy", remedy?.rawValue)
        }
    }
}

extension EntitlementBody {
    fileprivate func json(times: TimeFormat) throws -> [UInt8] {
        // Few have these.
        let runs = try runs.map { try JSONCoding.bytes(of: $0, times: times) }
        let subscription = try subscription.map { try JSONCoding.bytes(of: $0, times: times) }
        var json = JSONWriter()
        json.object { json in
            json.member("access", access)
            json.member("app", app.text)
            json.member("basis", basis)
            json.name("bundles")
            json.array { json in
                for bundle in bundles {
                    json.element()
                    json.append(bundle.text)
                }
            }
            json.member("environment", environment.rawValue)
            json.member("keeps", keeps)
            json.member("ownershipType", ownershipType?.rawValue)
            json.member("product", product.text)
            json.member("purchasedAt", purchasedAt.map { times.text(of: $0, key: "purchasedAt") })
            json.member("reason", reason?.rawValue)
            json.member("runs", json: runs)
            json.member("subscription", json: subscription)
            json.member("type", type.rawValue)
            json.member("until", until.map { times.text(of: $0, key: "until") })
        }
        return json.bytes
    }
}

extension JSONWriter {
    /// Writes a member whose value is written already.
    fileprivate mutating func member(_ name: String, json value: [UInt8]?) {
        guard let value else { return }
        self.name(name)
        append(json: value)
    }
}
