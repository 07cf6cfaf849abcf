// zlib's streams, one call for each.
#ifndef DOCVERSIONS_STREAMS_H
#define DOCVERSIONS_STREAMS_H

#include <stddef.h>
#include <zlib.h>

/// Makes a deflater to use again and again: setting one up costs more than a small object. NULL without memory.
z_stream *docversions_deflater_new(void);

/// Frees a deflater.
void docversions_deflater_free(z_stream *stream);

/// Deflates bytes into a buffer of at least `compressBound(from_count)`. Returns the number of bytes, or -1.
long docversions_deflate(
  z_stream *stream, int level, const unsigned char *from, size_t from_count, unsigned char *to, size_t to_count);

/// Inflates a zlib stream into a buffer, as far as both reach, and never waits for more of either.
///
/// Returns the number of bytes, or -1 for a damaged stream; `used` is where the stream ended, 0 if it did not.
long docversions_inflate(
  const unsigned char *from, size_t from_count, unsigned char *to, size_t to_count, size_t *used);

#endif
