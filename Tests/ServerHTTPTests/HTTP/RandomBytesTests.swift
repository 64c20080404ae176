import Testing

@testable import CommandLine
@testable import ServerHTTP

/// As many random bytes as were asked for, also if the system gives them in several parts.
@Suite struct RandomBytesTests {
    @Test(arguments: [0, 1, 16, 255, 256, 257, 4096, 5000]) func `All random bytes are filled`(count: Int) {
        // A byte is zero each time with a chance of 256^-12.
        let tries = (0..<12).map { _ in systemRandomBytes(count) }
        #expect(tries.allSatisfy { $0.count == count })
        for place in 0..<count { #expect(tries.contains { $0[place] != 0 }, "byte \(place)") }
    }
}
