#pragma once
#pragma clang diagnostic ignored "-Wnullability-extension"

// The descriptions of the HTTP interfaces in OpenAPI 3.1, in UTF-8, without a zero at the end. They live as long as the
// program does; `count` becomes the number of bytes.

/// The text of `docs/openapi.yaml`: the server's interface.
const unsigned char *_Nonnull serverDescription(unsigned long *_Nonnull count);

/// The text of `docs/openapi-simulator.yaml`: the interface of the simulated App Store.
const unsigned char *_Nonnull simulatorDescription(unsigned long *_Nonnull count);
