/// https://developer.apple.com/documentation/objectivec/autoreleasepool(invoking:)
@available(iOS 8.0, macOS 10.10, visionOS 1.0, *)
public func autoreleasepool<Failure: Error, Value>(
    invoking body: () throws(Failure) -> Value
) throws(Failure) -> Value { try body() }
