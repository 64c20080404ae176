import InAppPurchase
import Ledger
import NIOCore
import ServerHTTP
import StrictJSON

// The same bytes as `JSONCoding.encode` writes: every receipt is answered with them, and encoding each value separately
// costs more.
extension ReceiptBody {
    func json(times: TimeFormat = .wholeSeconds) throws -> ByteBuffer {
        var json = JSONWriter(capacity: 1_024)
        let entitlements = try entitlements.map { try $0.json(times: times) }
        json.object { json in
            json.member("balances", balances)
            json.member("duplicate", duplicate)
            json.name("entitlements")
            json.array { json in
                for entitlement in entitlements { json.element(json: entitlement) }
            }
            json.member("finish", finish)
            json.member("reason", reason)
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
