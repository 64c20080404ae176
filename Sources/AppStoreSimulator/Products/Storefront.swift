/// The storefronts of the App Store: their countries (ISO 3166-1 alpha-3), Apple's numbers, and the currencies they
/// sell in.
enum Storefront {
    static let standard = "USA"
    private static let standardCurrency = "USD"

    private static let known: [String: (id: String, currency: String)] = [
        "USA": ("143441", "USD"), "FRA": ("143442", "EUR"), "DEU": ("143443", "EUR"), "GBR": ("143444", "GBP"),
        "AUT": ("143445", "EUR"), "BEL": ("143446", "EUR"), "FIN": ("143447", "EUR"), "GRC": ("143448", "EUR"),
        "IRL": ("143449", "EUR"), "ITA": ("143450", "EUR"), "LUX": ("143451", "EUR"), "NLD": ("143452", "EUR"),
        "PRT": ("143453", "EUR"), "ESP": ("143454", "EUR"), "CAN": ("143455", "CAD"), "SWE": ("143456", "SEK"),
        "NOR": ("143457", "NOK"), "DNK": ("143458", "DKK"), "CHE": ("143459", "CHF"), "AUS": ("143460", "AUD"),
        "NZL": ("143461", "NZD"), "JPN": ("143462", "JPY"), "HKG": ("143463", "HKD"), "SGP": ("143464", "SGD"),
        "CHN": ("143465", "CNY"), "KOR": ("143466", "KRW"), "IND": ("143467", "INR"), "MEX": ("143468", "MXN"),
        "TWN": ("143470", "TWD"), "VNM": ("143471", "VND"), "POL": ("143478", "PLN"), "TUR": ("143480", "TRY"),
        "BRA": ("143503", "BRL"),
    ]

    /// Apple's number (`storefrontId`); `nil` for a storefront that is not in this list.
    static func id(of country: String) -> String? { known[country]?.id }

    static func currency(of country: String) -> String { known[country]?.currency ?? standardCurrency }

    /// Whether it has the form of a country's or a currency's code: three capital letters.
    static func isCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
