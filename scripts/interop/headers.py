"""What a JWS's header may have beside what it needs, and instead of it."""

HEADERS = (
    {"jwk": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}}, {"kid": "1"}, {"kid": 1}, {"kid": None},
    {"typ": "JWT"}, {"typ": "JOSE"}, {"cty": "JWT"}, {"crit": ["exp"]}, {"crit": []}, {"crit": ["b64"]}, {"crit": None},
    {"crit": "exp"}, {"b64": False}, {"b64": True}, {"b64": False, "crit": ["b64"]}, {"jku": "https://example.com/k"},
    {"x5u": "https://example.com/c"}, {"x5t": "AA"}, {"zip": "DEF"}, {"enc": "A128GCM"}, {"alg": "none"},
    {"alg": "NONE"}, {"alg": "es256"}, {"alg": "ES384"}, {"alg": "HS256"}, {"alg": "RS256"}, {"alg": None},
    {"alg": ["ES256"]}, {"x5c": None}, {"x5c": []}, {"x5c": {}}, {"x5c": ""})
