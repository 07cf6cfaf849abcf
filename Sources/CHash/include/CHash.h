// SHA-1 and SHA-256 (FIPS 180-4), piece by piece: the door to nettle, which uses the processor's instructions for both.
#ifndef DOCVERSIONS_CHASH_H
#define DOCVERSIONS_CHASH_H

#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>

/// A SHA-1 of bytes that come piece by piece.
struct docversions_sha1 {
  struct sha1_ctx context;
};

/// A SHA-256 of bytes that come piece by piece.
struct docversions_sha256 {
  struct sha256_ctx context;
};

/// The SHA-1 of no bytes yet.
struct docversions_sha1 docversions_sha1_begin(void);

/// Adds the next bytes.
void docversions_sha1_add(struct docversions_sha1 *hash, const void *bytes, size_t count);

/// Writes the 20 bytes of the hash, and ends it.
void docversions_sha1_end(struct docversions_sha1 *hash, uint8_t *digest);

/// The SHA-256 of no bytes yet.
struct docversions_sha256 docversions_sha256_begin(void);

/// Adds the next bytes.
void docversions_sha256_add(struct docversions_sha256 *hash, const void *bytes, size_t count);

/// Writes the 32 bytes of the hash, and ends it.
void docversions_sha256_end(struct docversions_sha256 *hash, uint8_t *digest);

#endif
