/// Malformed input. Without details, since the position of the wrong octet would help nobody.
struct AppReceiptError: Error {}
