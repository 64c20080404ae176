extension UInt8 {
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    package static let lineFeed = UInt8(ascii: "\n")
    package static let carriageReturn = UInt8(ascii: "\r")
    package static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    var isLineBreak: Bool { self == .lineFeed || self == .carriageReturn }
    var isJSONSpace: Bool { self == .space || self == .tab || isLineBreak }
}
