// The one header through which Swift sees libgit2, and nothing but what Swift cannot do itself:
// git_libgit2_opts is variadic, so each option that is used has a function here.
#ifndef DOCVERSIONS_CGIT2_SHIM_H
#define DOCVERSIONS_CGIT2_SHIM_H

#include <git2.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

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


#endif
