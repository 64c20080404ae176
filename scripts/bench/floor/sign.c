// Signs payloads with ES256, as many a second as one core can: sign KEY HEADER <PAYLOADS
//
// KEY is a file with the private key (PEM), HEADER the first part of every signature (base64url of the header); of each
// line, a payload, it prints the signature in compact serialization (RFC 7515 §7.1).
#define _GNU_SOURCE
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *reason) {
    fprintf(stderr, "sign: %s\n", reason);
    exit(1);
}

// The end of what it wrote.
static char *encoded(const unsigned char *bytes, size_t length, char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned bits = 0, count = 0;
    for (size_t i = 0; i < length; i++) {
        bits = bits << 8 | bytes[i];
        for (count += 8; count >= 6; count -= 6) *text++ = digits[bits >> (count - 6) & 63];
    }
    if (count > 0) *text++ = digits[bits << (6 - count) & 63];
    *text = 0;
    return text;
}

static void sign(EVP_PKEY *key, const char *header, const char *payload, size_t length) {
    char *text = malloc(strlen(header) + 2 * length + 200);
    char *end = encoded((const unsigned char *)payload, length, stpcpy(stpcpy(text, header), "."));
    unsigned char der[80], raw[64];
    size_t size = sizeof der;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) != 1 ||
        EVP_DigestSign(context, der, &size, (unsigned char *)text, (size_t)(end - text)) != 1)
        fail("a payload cannot be signed");
    const unsigned char *bytes = der;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &bytes, (long)size);
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), raw, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), raw + 32, 32);
    encoded(raw, sizeof raw, stpcpy(end, "."));
    puts(text);
    ECDSA_SIG_free(pair);
    EVP_MD_CTX_free(context);
    free(text);
}

int main(int count, char **arguments) {
    FILE *file = count == 3 ? fopen(arguments[1], "r") : NULL;
    EVP_PKEY *key = file ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;
    if (!key) fail("usage: sign KEY HEADER <PAYLOADS");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0)
        sign(key, arguments[2], line, (size_t)length - (line[length - 1] == '\n'));
}
