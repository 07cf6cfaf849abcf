// What hashes whole blocks of 64 bytes, in two ways.
#ifndef DOCVERSIONS_BLOCKS_H
#define DOCVERSIONS_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/// True if the processor has instructions for both hashes, and tests do not forbid them.
int docversions_processor_hashes(void);

/// Adds blocks with the processor's instructions.
void docversions_sha1_blocks_processor(uint32_t state[5], const uint8_t *bytes, size_t blocks);
void docversions_sha256_blocks_processor(uint32_t state[8], const uint8_t *bytes, size_t blocks);

/// The constants of the rounds of SHA-256.
extern const uint32_t docversions_sha256_constants[64];

#endif
