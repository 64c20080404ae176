/// A request body that exceeds its limit. It was not read to its end, so neither its length nor its hash is known.
struct BodySizeError: Error {}
