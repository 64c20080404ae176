/// A day of the proleptic Gregorian calendar, as in RFC 3339: a hundred times faster than Foundation's calendar, which
/// the response to a player with many purchases would need some hundred times.
struct GregorianDay: Equatable {
    var year: Int
    /// The month, from 1 to 12.
    var month: Int
    /// The day of the month, from 1 to the length of the month.
    var day: Int

    /// The days from 0000-03-01, the first day of a year that begins in March and has its leap day at the end, to
    /// 1970-01-01.
    private static let daysBefore1970 = 719_468
    private static let daysOf400Years = 146_097

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter days: days since 1970-01-01, for the years -9999 to 99999.
    init(daysSince1970 days: Int) {
        let shifted = days + Self.daysBefore1970
        let era = (shifted >= 0 ? shifted : shifted - Self.daysOf400Years + 1) / Self.daysOf400Years
        let dayOfEra = shifted - era * Self.daysOf400Years
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthSinceMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthSinceMarch + 2) / 5 + 1
        month = monthSinceMarch < 10 ? monthSinceMarch + 3 : monthSinceMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let (marchYear, monthsSinceMarch) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let leapDays = (marchYear + 400) / 4 - (marchYear + 400) / 100 + (marchYear + 400) / 400 - 97
        return marchYear * 365 + leapDays + (153 * monthsSinceMarch + 2) / 5 + day - 1 - Self.daysBefore1970
    }

    /// The day that many months later; the last day of the month if the month is too short.
    ///
    /// - Parameter months: not negative.
    func adding(months: Int) -> GregorianDay {
        let (years, rest) = (month - 1 + months).quotientAndRemainder(dividingBy: 12)
        let (year, month) = (year + years, rest + 1)
        return GregorianDay(year: year, month: month, day: min(day, Self.days(of: month, in: year)))
    }

    static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
