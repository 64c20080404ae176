/// The numbers of one app on one day, by section, and by the product or storefront; in a sum of all, by an empty name.
package struct ReportSums: Hashable, Codable, Sendable {
    package var sections: [ReportSection: [String: ReportTally]] = [:]

    package init() {}

    package init(from decoder: any Decoder) throws {
        sections = try decoder.singleValueContainer().decode([ReportSection: [String: ReportTally]].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sections)
    }
}
