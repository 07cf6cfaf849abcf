// libgit2: the functions that are used, and what loads them.
#ifndef DOCVERSIONS_LIBGIT2_H
#define DOCVERSIONS_LIBGIT2_H

#if __has_include(<git2.h>)
#include <git2.h>
#else
#error "The headers of libgit2 are missing: apt-get install libgit2-dev, or brew install libgit2"
#endif

/// The functions of libgit2 that are used: a new one is added here and nowhere else.
#define DOCVERSIONS_LIBGIT2_FUNCTIONS(FUNCTION) \
  FUNCTION(git_error_clear)                     \
  FUNCTION(git_error_last)                      \
  FUNCTION(git_libgit2_init)                    \
  FUNCTION(git_libgit2_opts)                    \
  FUNCTION(git_libgit2_version)                 \
  FUNCTION(git_odb_hash)                        \
  FUNCTION(git_reference_delete)                \
  FUNCTION(git_reference_free)                  \
  FUNCTION(git_reference_lookup)                \
  FUNCTION(git_reference_target)                \
  FUNCTION(git_repository_free)                 \
  FUNCTION(git_repository_open_ext)

/// Each of these functions, under its own name.
struct docversions_libgit2 {
#define DOCVERSIONS_FIELD(name) __typeof__(&name) name;
  DOCVERSIONS_LIBGIT2_FUNCTIONS(DOCVERSIONS_FIELD)
#undef DOCVERSIONS_FIELD
};

/// The file that has libgit2 of the version whose headers this is built with.
#define DOCVERSIONS_LIBGIT2_FILE "libgit2.so." LIBGIT2_SOVERSION

/// Loads libgit2 from a file, and finds every function.
///
/// Returns NULL, or what is missing: a sentence that is valid until this thread loads something again.
const char *docversions_libgit2_load(const char *file, struct docversions_libgit2 *functions);

/// Sets an option of libgit2 that is on or off, for the whole process.
int docversions_libgit2_set(const struct docversions_libgit2 *functions, git_libgit2_opt_t option, int is_on);

/// Sets the folders that configuration of a level is read from, for the whole process; an empty path sets none.
int docversions_libgit2_set_search_path(
  const struct docversions_libgit2 *functions, git_config_level_t level, const char *path);

#endif
