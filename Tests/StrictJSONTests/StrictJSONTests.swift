import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import StrictJSON

/// Texts that are JSON to the letter and keep within the limits.
@Suite struct StrictJSONTests {
    private static let limits = JSONLimits(maximumMembers: 1_000)

    private func isStrict(_ text: some Sequence<UInt8>, _ tolerance: JSONTolerance = []) -> Bool {
        (try? StrictJSON(Data(text), Self.limits, tolerance: tolerance)) != nil
    }

    private func invalid(_ text: String, _ limits: JSONLimits = limits) -> JSONError? {
        do throws(JSONError) {
            _ = try StrictJSON(Data(text.utf8), limits)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "{}", " {\t}\r\n", #"{"a":1}"#, #"{"":0}"#, #"{ "a" : [ ] , "b" : { } }"#, "[]", "1", "null", "\"a\"",
        #"{"a":{"a":{"a":1}},"b":{"a":1}}"#, #"{"a":"long enough for words of eight bytes"}"#,
        #"{"a":[{"a":1},{"a":1}]}"#, #"{"a":-0,"b":0.10,"c":-1.5e-7,"d":1E+2,"e":1e999}"#,
        #"{"a":[true,false,null]}"#, #"{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é\#u{7F}"}"#, #"{"a":1,"A":2}"#,
        #"{"a":"\ud800"}"#, #"{"\u0061":1,"b":2}"#, "{\"a\":\"seven b\u{e9}x\"}",
    ])
    func `Well-formed JSON is read`(_ text: String) { #expect(isStrict(text.utf8)) }

    @Test(arguments: [
        "", " ", "{", "}", "{}}", "{}{}", "{}x", "{}\u{0}", "\u{FEFF}{}", "{,}", "{a:1}", "[1", "[,]", "[1,]",
        #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":[1,]}"#, #"{"a":[,]}"#, #"{"a":1 "b":2}"#, #"{"a":1,,"b":2}"#,
        #"{"a":[}"#, #"{"a":]}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":+1}"#, #"{"a":-}"#, #"{"a":1.}"#, #"{"a":.5}"#,
        #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":0x1}"#, #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":tru}"#,
        #"{"a":TRUE}"#, #"{"a":nul}"#, #"{"a":"}"#, #"{"a":"\"}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
        #"{"a":"\u12"}"#, "{\"a\":\"\n\"}", "{\"a\":\"\u{0}\"}", "{\"a\":\"\u{1F}\"}", "/**/{}", "{}//", "{\u{A0}}",
        "{\"a\":\"eight by\u{1F}es\"}", "{\"a\":\"eight by\\xes, and more\"}",
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"é":1,"e\#u{301}":2}"#, #"{"":1,"":2}"#,
        #"{"x":{"a":1,"b":2,"a":3}}"#, #"{"\ud800":1}"#, #"{"a":1\#(String(repeating: "0", count: 64))}"#,
    ])
    func `Malformed JSON and repeated names are refused`(_ text: String) { #expect(!isStrict(text.utf8)) }

    @Test func `Only hexadecimal digits are read in each place of an escape; the first other byte is named`() throws {
        for place in 0..<4 {
            for byte in UInt8.min...UInt8.max {
                var digits = Array("0aF9".utf8)
                digits[place] = byte
                let isDigit = byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit
                let text = Array(#"{"a":"\u0061\u"#.utf8) + digits + Array(#""}"#.utf8)
                var offset: Int?
                do throws(JSONError) { _ = try StrictJSON(Data(text), Self.limits) } catch { offset = error.offset }
                #expect(offset == (isDigit ? nil : 14 + place), "\(byte) in place \(place)")
            }
        }
    }

    @Test(
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE9], [0xF4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]])
    func `Bytes that are not UTF-8 are refused in values and in names`(_ bytes: [UInt8]) {
        for filling in ["", "a text of more than eight bytes"] {
            #expect(!isStrict(Array("{\"a\":\"\(filling)".utf8) + bytes + Array("\(filling)\"}".utf8)))
            #expect(!isStrict(Array("{\"\(filling)".utf8) + bytes + Array("\(filling)\":1}".utf8)))
        }
    }

    /// The scan looks at eight bytes at a time: every place in such a word is tried, with what ends it before and
    /// after.
    @Test func `Every byte of a text is checked, wherever it is in a word of eight`() {
        for place in 0..<20 {
            for length in place..<20 {
                var text = Array(repeating: UInt8(ascii: "a"), count: length + 1)
                #expect(isStrict([0x22] + text + [0x22]))
                for (byte, isRead) in [(0xFF, false), (0x1F, false), (0x22, false), (0x20, true)] as [(UInt8, Bool)] {
                    text[place] = byte
                    for end: [UInt8] in [[], [0x5C, 0x6E], [0x5C, 0x75, 0x30, 0x30, 0x34, 0x31, 0x61]] {
                        #expect(isStrict([0x22] + text + end + [0x22]) == isRead, "\(place) of \(length): \(byte)")
                    }
                }
            }
        }
    }

    @Test func `Each tolerance permits its own deviation and no other`() {
        let texts: [(String, JSONTolerance)] = [
            ("\u{FEFF}{}", .byteOrderMark), ("{\"a\":1,}", .trailingComma), ("[1 , ]", .trailingComma),
            ("{\"a\":1,\"a\":2}", .repeatedName),
        ]
        for (text, tolerance) in texts {
            #expect(isStrict(text.utf8, tolerance) && isStrict(text.utf8, .known) && !isStrict(text.utf8))
            #expect(!isStrict(text.utf8, JSONTolerance.known.subtracting(tolerance)))
        }
        for text in ["[,]", "{,}", "[1,,]", "{\"a\":1,,}", "\u{FEFF}\u{FEFF}{}"] {
            #expect(!isStrict(text.utf8, .known))
        }
    }

    @Test(arguments: [(32, true), (33, false), (200_000, false)])
    func `JSON may be 32 levels deep and no deeper`(_ depth: Int, _ isRead: Bool) {
        let arrays = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        #expect(isStrict("{\"a\":\(arrays)}".utf8) == isRead)
        let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        #expect(isStrict(objects.utf8) == isRead)
    }

    @Test func `Members at all levels count towards one limit`() {
        let limits = JSONLimits(maximumMembers: 5)
        for text in ["[1,2,3,4,5]", "{\"a\":[1,2],\"b\":{\"c\":1}}", "[[],[],[],[],[]]", "[[[[[[]]]]]]"] {
            #expect(invalid(text, limits) == nil, "\(text)")
        }
        for text in ["[1,2,3,4,5,6]", "{\"a\":[1,2],\"b\":{\"c\":1,\"d\":1}}", "[[],[],[],[],[],[]"] {
            #expect(invalid(text, limits)?.kind == .tooManyMembers(maximum: 5), "\(text)")
        }
    }

    /// A scan ends where the limit is exceeded, however long the text is.
    @Test(arguments: ["[],", "{},", "\"\",", "0,", "[", "{\"a\":"])
    func `A scan stops where a limit is exceeded`(piece: String) {
        let text = "[" + String(repeating: piece, count: 1_000_000)
        #expect(invalid(text).map { $0.offset < 8_192 } == true)
    }

    @Test func `A mistake is described with its path and byte, in few words`() {
        let mistakes = [
            (#"{"apps":[{"a":1},{"b":[1,x]}]}"#, "apps[1].b[1]: not JSON (RFC 8259), at byte 25"),
            (#"{"a":{"b":1,"b":2}}"#, "a.b: occurs twice"), ("{", "not JSON (RFC 8259), at byte 1"),
            ("", "not JSON (RFC 8259), at byte 0"), ("[[1]", "not JSON (RFC 8259), at byte 4, after [0]"),
            (#"{"a":{"b":1 "c":2}}"#, #"a: not JSON (RFC 8259), at byte 12, after "b""#),
            (#"{"a":[1,{"b":1,c:2}]}"#, #"a[1]: not JSON (RFC 8259), at byte 15, after "b""#),
            (#"{"a":1,"b" 2}"#, "b: not JSON (RFC 8259), at byte 11"), ("{} 1", "not JSON (RFC 8259), at byte 3"),
            (#"{"a":[1 2]}"#, "a: not JSON (RFC 8259), at byte 8, after [0]"),
            ("{\"é\": 1,\r\n  \"b\": \"é\" x}", #"not JSON (RFC 8259), at byte 23 (line 2, column 12), after "b""#),
            ("[\n\n1,]", "a comma before a closing bracket, at byte 5 (line 3, column 3), after [0]"),
            ("[\n\"\u{1}\"]", "[0]: not JSON (RFC 8259), at byte 3 (line 2, column 2)"),
            (#"{"a":[1,{"b":2, }]}"#, #"a[1]: a comma before a closing bracket, at byte 16, after "b""#),
            ("[1,]", "a comma before a closing bracket, at byte 3, after [0]"),
            ("[{\"a\": 1,\n\"a\": 2}]", "[0].a: occurs twice, at byte 10 (line 2, column 1)"),
        ]
        for (text, words) in mistakes { #expect(invalid(text)?.description == words) }
        let name = String(repeating: "n", count: 5_000)
        for text in ["{\"\(name)\":x}", "{\"\(name)\":1 x}", "{\"\(name)\":1,x}"] {
            #expect((invalid(text)?.description.count ?? 200) < 200)
        }
    }

    /// Whatever this reads, Foundation reads as the same, and what Foundation writes of it is read again.
    @Test(arguments: 0..<8) func `Whatever is read means the same to Foundation`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]:,"\ab01-+.eEutrflsn \#n\#u{7}é"#.utf8)
        var read = 0
        for _ in 0..<4000 {
            var text = Array(#"{"a":[1,{"b":"\n"},true],"c":-0.5e1,"d":null,"éé":"\u00e9 and more text"}"#.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0..<text.count, using: &generator)
                text[place] = alphabet.randomElement(using: &generator) ?? 0
            }
            guard let json = try? StrictJSON(Data(text), Self.limits) else { continue }
            read += 1
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text))
            #expect(JSONValue(json.root) == value)
            #expect(try json.decode(JSONValue.self) == value)
            #expect(isStrict(try JSONEncoder().encode(value)))
        }
        #expect(read > 500)
    }

    @Test func `The parts of a document are found with their text as it was written`() throws {
        let text = #" { "a" : [ 1 , "\u0062" ] , "c" : { "d" : null } , "c" : 2 } "#
        let json = try StrictJSON(Data(text.utf8), Self.limits, tolerance: .repeatedName)
        func string(_ part: JSONPart?) -> String? { part.map { String(decoding: $0.text, as: UTF8.self) } }
        #expect(string(json.root["a"]) == "[ 1 , \"\\u0062\" ]" && string(json.root["c"]) == "{ \"d\" : null }")
        #expect(json.root["a"]?.elements.map { string($0) } == ["1", "\"\\u0062\""])
        #expect(json.root["a"]?.elements.last?.string == "b")
        #expect(json.root.members.map { string($0.name) } == ["\"a\"", "\"c\"", "\"c\""])
        #expect(json.root["e"] == nil && json.root["a"]?["x"] == nil && json.root.elements.isEmpty)
        // Of a slice too.
        let slice = Data("xx[7]".utf8).dropFirst(2)
        #expect(try StrictJSON(slice, Self.limits).root.elements.first?.integer(Int.self) == 7)
    }
}
