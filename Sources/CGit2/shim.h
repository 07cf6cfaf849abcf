// The one header through which Swift sees libgit2 and zlib, and nothing but what Swift cannot do itself.
#ifndef DOCVERSIONS_CGIT2_SHIM_H
#define DOCVERSIONS_CGIT2_SHIM_H

#include <errno.h>
#include <git2.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

// Loading libgit2 costs more than most commands take: on Debian it brings 14 other libraries. So on Linux it is
// loaded when it is first used, and every function of it that is used has one here.
#ifdef __linux__
#include <dlfcn.h>

/// libgit2 of the version that this was built with; NULL where it is not installed.
static inline void *docversions_libgit2(void) {
  static void *library;
  // Loading it twice at once gives the same library.
  if (!library) library = dlopen("libgit2.so." LIBGIT2_SOVERSION, RTLD_NOW | RTLD_LOCAL);
  return library;
}

#define DOCVERSIONS_FUNCTION(name)                                                     \
  static __typeof__(&name) name##_;                                                    \
  if (!name##_) name##_ = (__typeof__(&name))dlsym(docversions_libgit2(), #name);

#else

static inline void *docversions_libgit2(void) { return (void *)1; }

#define DOCVERSIONS_FUNCTION(name) const __typeof__(&name) name##_ = &name;

#endif

static inline int lib_git_libgit2_init(void) {
  DOCVERSIONS_FUNCTION(git_libgit2_init)
  return git_libgit2_init_();
}

static inline int lib_git_libgit2_version(int *major, int *minor, int *patch) {
  DOCVERSIONS_FUNCTION(git_libgit2_version)
  return git_libgit2_version_(major, minor, patch);
}

static inline const git_error *lib_git_error_last(void) {
  DOCVERSIONS_FUNCTION(git_error_last)
  return git_error_last_();
}

static inline void lib_git_error_clear(void) {
  DOCVERSIONS_FUNCTION(git_error_clear)
  git_error_clear_();
}

static inline int lib_git_odb_hash(git_oid *out, const void *data, size_t count, git_object_t type) {
  DOCVERSIONS_FUNCTION(git_odb_hash)
  return git_odb_hash_(out, data, count, type);
}

static inline int lib_git_repository_open_ext(
  git_repository **out, const char *path, unsigned int flags, const char *ceilings
) {
  DOCVERSIONS_FUNCTION(git_repository_open_ext)
  return git_repository_open_ext_(out, path, flags, ceilings);
}

static inline void lib_git_repository_free(git_repository *repository) {
  DOCVERSIONS_FUNCTION(git_repository_free)
  git_repository_free_(repository);
}

static inline int lib_git_reference_lookup(
  git_reference **out, git_repository *repository, const char *name
) {
  DOCVERSIONS_FUNCTION(git_reference_lookup)
  return git_reference_lookup_(out, repository, name);
}

static inline const git_oid *lib_git_reference_target(const git_reference *reference) {
  DOCVERSIONS_FUNCTION(git_reference_target)
  return git_reference_target_(reference);
}

static inline int lib_git_reference_delete(git_reference *reference) {
  DOCVERSIONS_FUNCTION(git_reference_delete)
  return git_reference_delete_(reference);
}

static inline void lib_git_reference_free(git_reference *reference) {
  DOCVERSIONS_FUNCTION(git_reference_free)
  git_reference_free_(reference);
}

// git_libgit2_opts is variadic, so each option that is used has a function.

/// Objects, refs and their directories are fsynced before a write returns. Process-wide.
static inline int docversions_enable_fsync(int enabled) {
  DOCVERSIONS_FUNCTION(git_libgit2_opts)
  return git_libgit2_opts_(GIT_OPT_ENABLE_FSYNC_GITDIR, enabled);
}

/// Where configuration of the given level is looked for: an empty path means nowhere. Process-wide.
static inline int docversions_set_search_path(int level, const char *path) {
  DOCVERSIONS_FUNCTION(git_libgit2_opts)
  return git_libgit2_opts_(GIT_OPT_SET_SEARCH_PATH, level, path);
}

/// Every object read is checked against its id. Process-wide.
static inline int docversions_enable_hash_verification(int enabled) {
  DOCVERSIONS_FUNCTION(git_libgit2_opts)
  return git_libgit2_opts_(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, enabled);
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
