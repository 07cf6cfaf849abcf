// SHA-256 of libcrypto, which libgit2 loads on Linux anyway. macOS has CryptoKit instead.
#include <openssl/evp.h>
