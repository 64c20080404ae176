/// The things that the rows of a report stand for.
package enum ReportGrouping: String, CaseIterable, CodingKey, Sendable {
    /// A day in UTC.
    case day
    /// A product's ID.
    case product
    /// A storefront (ISO 3166-1, three letters); ``ReportTally/unknown`` if no copy of the transaction states it.
    case storefront
}
