/// Not what it should be; which octet is wrong would tell nobody anything.
struct Unreadable: Error {}
