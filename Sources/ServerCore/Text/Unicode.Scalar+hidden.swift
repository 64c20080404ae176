extension Unicode.Scalar {
    /// Whether pages show a mark in its place: characters that HTML forbids, and those that turn the direction of the
    /// text after them, so that one product's ID would read as another's.
    package var isHiddenInPages: Bool {
        switch value {
        case 0x20...0x7E, 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE || properties.isBidiControl
        }
    }
}
