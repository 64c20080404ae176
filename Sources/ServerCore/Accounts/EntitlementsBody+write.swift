package import InAppPurchase
import Ledger
import NIOCore
import ServerHTTP
import StrictJSON

// The same bytes as `JSONCoding.encode` writes: clients ask at each start, and encoding each value separately costs
// more.
extension EntitlementsBody {
    func json(times: TimeFormat = .wholeSeconds) throws -> ByteBuffer {
        var json = JSONWriter(capacity: 4_096)
        let entitlements = try entitlements.map { try $0.json(times: times) }
        let receipts = try receipts.map { try JSONCoding.bytes(of: $0, times: times) }
        json.object { json in
            json.member("account", account)
            json.member("at", at, times)
            if let balances { json.member("balances", balances) }
            json.name("entitlements")
            json.array { json in
                for entitlement in entitlements { json.element(json: entitlement) }
            }
            json.member("receipts", json: receipts)
            json.member("signed", signed)
        }
        return ByteBuffer(bytes: json.bytes)
    }
}

extension EntitlementBody {
    func json(times: TimeFormat) throws -> [UInt8] {
        // Few have one.
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
            json.member("group", group)
            json.member("keeps", keeps)
            json.member("level", level)
            json.member("ownershipType", ownershipType?.rawValue)
            json.member("product", product.text)
            json.member("purchasedAt", purchasedAt, times)
            json.member("reason", reason?.rawValue)
            if let runs {
                json.name("runs")
                json.array { json in
                    for run in runs {
                        json.element()
                        run.write(to: &json, times)
                    }
                }
            }
            json.member("subscription", json: subscription)
            json.member("type", type.rawValue)
            json.member("until", until, times, isEnd: true)
        }
        return json.bytes
    }
}

extension RunBody {
    // An answer has hundreds of them.
    fileprivate func write(to json: inout JSONWriter, _ times: TimeFormat) {
        json.append(literal: #"{"from":""#)
        json.append(from, times)
        json.append(literal: #"","until":""#)
        json.append(until, times, isEnd: true)
        json.append(literal: #""}"#)
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ credits: Credits) {
        self.name(name)
        object { json in
            for (currency, amount) in credits.map({ ($0.key.text, $0.value) })
                .sorted(by: { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
            {
                json.name(text: currency)
                json.append(amount)
            }
        }
    }

    /// Writes a member whose value is JSON already.
    package mutating func member(_ name: StaticString, json value: [UInt8]?) {
        guard let value else { return }
        self.name(name)
        append(json: value)
    }
}
