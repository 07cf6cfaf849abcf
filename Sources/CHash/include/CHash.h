// SHA-1 and SHA-256 (FIPS 180-4), piece by piece.
#ifndef DOCVERSIONS_CHASH_H
#define DOCVERSIONS_CHASH_H

#include <stddef.h>
#include <stdint.h>

/// A SHA-1 of bytes that come piece by piece.
struct docversions_sha1 {
  uint32_t state[5];
  uint64_t count;
  uint8_t block[64];
};

/// A SHA-256 of bytes that come piece by piece.
struct docversions_sha256 {
  uint32_t state[8];
  uint64_t count;
  uint8_t block[64];
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

/// Computes both hashes in plain C from now on, or again with the processor's own instructions where it has some: for
/// tests, while nothing else is hashed.
void docversions_hash_use_processor(int is_allowed);

#endif
