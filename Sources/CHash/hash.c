#include "CHash.h"

#include <nettle/version.h>

struct docversions_sha1 docversions_sha1_begin(void) {
  struct docversions_sha1 hash;
  sha1_init(&hash.context);
  return hash;
}

void docversions_sha1_add(struct docversions_sha1 *hash, const void *bytes, size_t count) {
  // A buffer without bytes has no address.
  if (count > 0) sha1_update(&hash->context, count, bytes);
}

void docversions_sha1_end(struct docversions_sha1 *hash, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  sha1_digest(&hash->context, digest);
#else
  sha1_digest(&hash->context, SHA1_DIGEST_SIZE, digest);
#endif
}

struct docversions_sha256 docversions_sha256_begin(void) {
  struct docversions_sha256 hash;
  sha256_init(&hash.context);
  return hash;
}

void docversions_sha256_add(struct docversions_sha256 *hash, const void *bytes, size_t count) {
  if (count > 0) sha256_update(&hash->context, count, bytes);
}

void docversions_sha256_end(struct docversions_sha256 *hash, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest(&hash->context, digest);
#else
  sha256_digest(&hash->context, SHA256_DIGEST_SIZE, digest);
#endif
}
