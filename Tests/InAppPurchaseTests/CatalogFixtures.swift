import AutoRenewableSubscription
import Consumable
import Foundation
import InAppPurchase
import NonConsumable
import NonRenewingSubscription

let standardHandlers: [any ProductHandler.Type] = [
    Consumable.self, NonConsumable.self, NonRenewingSubscription.self, AutoRenewableSubscription.self,
]

/// The example of the wire contract.
let hangman = #"""
    {"apps": [{"bundleID": "com.example.hangman", "appAppleID": 1234567890,
      "products": [
       {"id": "com.example.hangman.tenhints", "type": "consumable", "credits": {"hints": 10}},
       {"id": "com.example.hangman.hundredhints", "type": "consumable", "credits": {"hints": 100}},
       {"id": "com.example.hangman.hardwords", "type": "non-consumable", "bundles": ["hard-words"]},
       {"id": "com.example.hangman.ioswords", "type": "non-consumable", "bundles": ["ios-words"]},
       {"id": "com.example.hangman.nighttheme.month", "type": "non-renewing", "duration": "P1M",
        "bundles": ["night-theme"]},
       {"id": "com.example.hangman.club.monthly", "type": "auto-renewable", "group": "club",
        "bundles": ["hard-words", "ios-words", "night-theme"]}]}]}
    """#

func catalog(_ json: String) throws -> Catalog {
    try JSONDecoder().decode(Catalog.self, from: Data(json.utf8), configuration: standardHandlers)
}

func product(_ json: String) throws -> Product {
    try JSONDecoder().decode(Product.self, from: Data(json.utf8), configuration: standardHandlers)
}

/// The path to the error, such as `apps[0].products[1].credits`.
func path(of error: DecodingError) -> String {
    let keys: [any CodingKey]
    switch error {
    case .keyNotFound(let key, let context): keys = context.codingPath + [key]
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        keys = context.codingPath
    @unknown default: keys = []
    }
    return keys.reduce(into: "") { path, key in
        path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
}
