// What the client uses of Darwin has the same names in the C library of Linux; scripts/symbols/apple.txt has the systems.
@_exported public import Glibc
