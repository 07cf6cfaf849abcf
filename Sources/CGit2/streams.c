#include "streams.h"

#include <stdint.h>
#include <stdlib.h>

z_stream *docversions_deflater_new(void) {
  z_stream *stream = calloc(1, sizeof *stream);
  if (stream && deflateInit(stream, 1) == Z_OK) return stream;
  free(stream);
  return NULL;
}

void docversions_deflater_free(z_stream *stream) {
  deflateEnd(stream);
  free(stream);
}

long docversions_deflate(
  z_stream *stream, int level, const unsigned char *from, size_t from_count, unsigned char *to, size_t to_count
) {
  if (from_count > UINT32_MAX || to_count > UINT32_MAX) return -1;
  if (deflateReset(stream) != Z_OK || deflateParams(stream, level, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
  stream->next_in = (Bytef *)from;
  stream->avail_in = (uInt)from_count;
  stream->next_out = to;
  stream->avail_out = (uInt)to_count;
  return deflate(stream, Z_FINISH) == Z_STREAM_END ? (long)(to_count - stream->avail_out) : -1;
}

long docversions_inflate(
  const unsigned char *from, size_t from_count, unsigned char *to, size_t to_count, size_t *used
) {
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK) return -1;
  const size_t most = 1 << 30;
  size_t from_left = from_count, to_left = to_count;
  int result = Z_OK;
  stream.next_in = (Bytef *)from;
  stream.next_out = to;
  while (result == Z_OK) {
    const uInt from_step = (uInt)(from_left < most ? from_left : most);
    const uInt to_step = (uInt)(to_left < most ? to_left : most);
    stream.avail_in = from_step;
    stream.avail_out = to_step;
    result = inflate(&stream, Z_NO_FLUSH);
    from_left -= from_step - stream.avail_in;
    to_left -= to_step - stream.avail_out;
  }
  inflateEnd(&stream);
  *used = result == Z_STREAM_END ? from_count - from_left : 0;
  return result == Z_STREAM_END || result == Z_BUF_ERROR ? (long)(to_count - to_left) : -1;
}
