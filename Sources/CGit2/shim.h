// The one header through which Swift sees libgit2, and nothing but what Swift cannot do itself:
// git_libgit2_opts is variadic, so each option that is used has a function here.
#ifndef DOCVERSIONS_CGIT2_SHIM_H
#define DOCVERSIONS_CGIT2_SHIM_H

#include <git2.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
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

/// Inflates a zlib stream into a buffer, as far as both reach, and never waits for more of either.
/// Returns the number of bytes, or -1 for a damaged stream; `is_whole` tells whether the stream ended there.
static inline long docversions_inflate(
  const unsigned char *from, size_t from_count, unsigned char *to, size_t to_count, int *is_whole
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
  *is_whole = result == Z_STREAM_END && from_left == 0;
  return result == Z_STREAM_END || result == Z_BUF_ERROR ? (long)(to_count - to_left) : -1;
}

#endif
