package import Foundation

extension String {
    /// The string as JSON, with its quotes.
    package var jsonText: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(self)) ?? Data()
    }
}
