#include "CDescriptions.h"

// #embed is of C23; clang has it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char server[] = {
#embed "../../docs/openapi.yaml"
};

static const unsigned char simulator[] = {
#embed "../../docs/openapi-simulator.yaml"
};

const unsigned char *serverDescription(unsigned long *count) {
    *count = sizeof server;
    return server;
}

const unsigned char *simulatorDescription(unsigned long *count) {
    *count = sizeof simulator;
    return simulator;
}
