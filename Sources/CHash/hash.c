// SHA-1 and SHA-256, as FIPS 180-4 writes them.
#include "CHash.h"
#include "blocks.h"

#include <string.h>

static uint32_t left(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }
static uint32_t right(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

static uint32_t word_at(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put(uint8_t *bytes, uint32_t word) {
  for (int index = 0; index < 4; index++) bytes[index] = (uint8_t)(word >> (24 - 8 * index));
}

// MARK: Blocks

// Once unrolled, the rounds rename their words instead of moving them.
#define UNROLLED _Pragma("clang loop unroll(full)")

static void sha1_blocks_plain(uint32_t state[5], const uint8_t *bytes, size_t blocks) {
  for (; blocks > 0; blocks--, bytes += 64) {
    uint32_t w[80];
    for (int t = 0; t < 16; t++) w[t] = word_at(bytes + 4 * t);
    for (int t = 16; t < 80; t++) w[t] = left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    UNROLLED for (int t = 0; t < 80; t++) {
      uint32_t f, k;
      if (t < 20) f = (b & c) | (~b & d), k = 0x5a827999;
      else if (t < 40) f = b ^ c ^ d, k = 0x6ed9eba1;
      else if (t < 60) f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdc;
      else f = b ^ c ^ d, k = 0xca62c1d6;
      const uint32_t next = left(a, 5) + f + e + k + w[t];
      e = d, d = c, c = left(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
  }
}

const uint32_t docversions_sha256_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static void sha256_blocks_plain(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  for (; blocks > 0; blocks--, bytes += 64) {
    uint32_t w[64];
    for (int t = 0; t < 16; t++) w[t] = word_at(bytes + 4 * t);
    for (int t = 16; t < 64; t++) {
      const uint32_t sigma0 = right(w[t - 15], 7) ^ right(w[t - 15], 18) ^ w[t - 15] >> 3;
      const uint32_t sigma1 = right(w[t - 2], 17) ^ right(w[t - 2], 19) ^ w[t - 2] >> 10;
      w[t] = w[t - 16] + sigma0 + w[t - 7] + sigma1;
    }
    uint32_t s[8];
    memcpy(s, state, sizeof s);
    UNROLLED for (int t = 0; t < 64; t++) {
      const uint32_t sum1 = right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25);
      const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
      const uint32_t first = s[7] + sum1 + choice + docversions_sha256_constants[t] + w[t];
      const uint32_t sum0 = right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22);
      const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
      s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + first;
      s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = first + sum0 + majority;
    }
    for (int index = 0; index < 8; index++) state[index] += s[index];
  }
}

static void sha1_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  if (docversions_processor_hashes()) docversions_sha1_blocks_processor(state, bytes, blocks);
  else sha1_blocks_plain(state, bytes, blocks);
}

static void sha256_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  if (docversions_processor_hashes()) docversions_sha256_blocks_processor(state, bytes, blocks);
  else sha256_blocks_plain(state, bytes, blocks);
}

// MARK: Pieces

typedef void (*blocks_function)(uint32_t *state, const uint8_t *bytes, size_t blocks);

static void add(
  uint32_t *state, uint64_t *total, uint8_t block[64], const uint8_t *bytes, size_t count, blocks_function hash) {
  if (count == 0) return;
  const size_t used = *total % 64;
  *total += count;
  if (used > 0) {
    const size_t taken = count < 64 - used ? count : 64 - used;
    memcpy(block + used, bytes, taken);
    if (used + taken < 64) return;
    hash(state, block, 1);
    bytes += taken, count -= taken;
  }
  if (count >= 64) hash(state, bytes, count / 64);
  memcpy(block, bytes + count / 64 * 64, count % 64);
}

// A one, zeros, and the number of bits, so that the last block is full.
static void end(
  uint32_t *state, uint64_t total, uint8_t block[64], uint8_t *digest, int words, blocks_function hash) {
  size_t used = total % 64;
  block[used++] = 0x80;
  if (used > 56) {
    memset(block + used, 0, 64 - used);
    hash(state, block, 1);
    used = 0;
  }
  memset(block + used, 0, 56 - used);
  put(block + 56, (uint32_t)(total >> 29));
  put(block + 60, (uint32_t)(total << 3));
  hash(state, block, 1);
  for (int index = 0; index < words; index++) put(digest + 4 * index, state[index]);
}

struct docversions_sha1 docversions_sha1_begin(void) {
  return (struct docversions_sha1){{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, 0, {0}};
}

void docversions_sha1_add(struct docversions_sha1 *hash, const void *bytes, size_t count) {
  add(hash->state, &hash->count, hash->block, bytes, count, sha1_blocks);
}

void docversions_sha1_end(struct docversions_sha1 *hash, uint8_t *digest) {
  end(hash->state, hash->count, hash->block, digest, 5, sha1_blocks);
}

struct docversions_sha256 docversions_sha256_begin(void) {
  return (struct docversions_sha256){
    {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, 0, {0}};
}

void docversions_sha256_add(struct docversions_sha256 *hash, const void *bytes, size_t count) {
  add(hash->state, &hash->count, hash->block, bytes, count, sha256_blocks);
}

void docversions_sha256_end(struct docversions_sha256 *hash, uint8_t *digest) {
  end(hash->state, hash->count, hash->block, digest, 8, sha256_blocks);
}
