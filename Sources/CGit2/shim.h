// The one header through which Swift sees libgit2, and nothing but what Swift cannot do itself:
// git_libgit2_opts is variadic, so each option that is used has a function here.
#ifndef DOCVERSIONS_CGIT2_SHIM_H
#define DOCVERSIONS_CGIT2_SHIM_H

#include <git2.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

/// Objects, refs and their directories are fsynced before a write returns. Process-wide.
static inline int docversions_enable_fsync(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, enabled);
}

/// Where configuration of the given level is looked for: an empty path means nowhere. Process-wide.
static inline int docversions_set_search_path(int level, const char *path) {
  return git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, path);
}

/// Every object read is checked against its id. Process-wide.
static inline int docversions_enable_hash_verification(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, enabled);
}

/// Of packs, no more than `window` bytes are mapped at a time by each reader, and `limit` in all, so that a
/// large document does not fill the memory. Process-wide.
static inline int docversions_limit_mapping(size_t window, size_t limit) {
  const int result = git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, window);
  return result != 0 ? result : git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, limit);
}

/// A deflater to use again and again: setting one up costs more than a small object. NULL without memory.
static inline z_stream *docversions_deflater_new(void) {
  z_stream *stream = calloc(1, sizeof *stream);
  if (stream && deflateInit(stream, 1) == Z_OK) return stream;
  free(stream);
  return NULL;
}

static inline void docversions_deflater_free(z_stream *stream) {
  deflateEnd(stream);
  free(stream);
}

/// Deflates bytes into a buffer of at least `compressBound(from_count)`. Returns the number of bytes, or -1.
static inline long docversions_deflate(
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

/// Inflates a zlib stream into a buffer, as far as both reach, and never waits for more of either.
/// Returns the number of bytes, or -1 for a damaged stream; `used` tells where the stream ended, 0 if it did not.
static inline long docversions_inflate(
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

#endif
