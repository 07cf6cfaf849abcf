// Both hashes with the SHA instructions of x86 processors, four rounds at a time: several times faster than plain C.
// The order of the instructions follows Intel's and Jeffrey Walton's code, which is in the public domain.
#include "CHash.h"
#include "blocks.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

static int detect(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

// 0 until it was asked, then 1 for no and 2 for yes; any thread finds the same.
static int answer;

int docversions_processor_hashes(void) {
  int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known == 0) {
    known = detect() ? 2 : 1;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  return known == 2;
}

void docversions_hash_use_processor(int is_allowed) {
  __atomic_store_n(&answer, is_allowed ? 0 : 1, __ATOMIC_RELAXED);
}

#define ROUNDS __attribute__((target("sha,sse4.1,ssse3")))
#define UNROLLED _Pragma("clang loop unroll(full)")

static inline ROUNDS __m128i load(const uint8_t *bytes, __m128i order) {
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), order);
}

ROUNDS void docversions_sha1_blocks_processor(uint32_t state[5], const uint8_t *bytes, size_t blocks) {
  const __m128i order = _mm_set_epi64x(0x0001020304050607ULL, 0x08090a0b0c0d0e0fULL);
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0x1B);
  __m128i e = _mm_set_epi32((int)state[4], 0, 0, 0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abcd_before = abcd, e_before = e;
    __m128i words[4], former = abcd;
    UNROLLED for (int step = 0; step < 20; step++) {
      __m128i *now = &words[step % 4];
      const __m128i last = words[(step + 3) % 4];
      *now = step < 4 ? load(bytes + 16 * step, order)
                      : _mm_sha1msg2_epu32(
                          _mm_xor_si128(_mm_sha1msg1_epu32(*now, words[(step + 1) % 4]), words[(step + 2) % 4]), last);
      e = step == 0 ? _mm_add_epi32(e, *now) : _mm_sha1nexte_epu32(former, *now);
      former = abcd;
      switch (step / 5) {
        case 0: abcd = _mm_sha1rnds4_epu32(abcd, e, 0); break;
        case 1: abcd = _mm_sha1rnds4_epu32(abcd, e, 1); break;
        case 2: abcd = _mm_sha1rnds4_epu32(abcd, e, 2); break;
        default: abcd = _mm_sha1rnds4_epu32(abcd, e, 3);
      }
    }
    e = _mm_sha1nexte_epu32(former, e_before);
    abcd = _mm_add_epi32(abcd, abcd_before);
  }
  _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(abcd, 0x1B));
  state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

ROUNDS void docversions_sha256_blocks_processor(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bULL, 0x0405060700010203ULL);
  const __m128i *constants = (const __m128i *)docversions_sha256_constants;
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
    UNROLLED for (int step = 0; step < 16; step++) {
      __m128i *now = &words[step % 4];
      const __m128i last = words[(step + 3) % 4], before_last = words[(step + 2) % 4];
      *now = step < 4 ? load(bytes + 16 * step, order)
                      : _mm_sha256msg2_epu32(
                          _mm_add_epi32(_mm_sha256msg1_epu32(*now, words[(step + 1) % 4]),
                                        _mm_alignr_epi8(last, before_last, 4)),
                          last);
      const __m128i sum = _mm_add_epi32(*now, _mm_loadu_si128(constants + step));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

int docversions_processor_hashes(void) { return 0; }
void docversions_hash_use_processor(int is_allowed) { (void)is_allowed; }
void docversions_sha1_blocks_processor(uint32_t state[5], const uint8_t *bytes, size_t blocks) {
  (void)state, (void)bytes, (void)blocks;
}
void docversions_sha256_blocks_processor(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  (void)state, (void)bytes, (void)blocks;
}

#endif
