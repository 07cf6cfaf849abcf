// Loading libgit2 costs more than most commands take: on Debian it brings 17 other libraries, one of which reads the
// system's certificates. So on Linux nothing is linked with it: it is loaded when it is first used.
#include "libgit2.h"

#ifdef __linux__

#include <dlfcn.h>

const char *docversions_libgit2_load(const char *file, struct docversions_libgit2 *functions) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(name) \
  if (!(functions->name = (__typeof__(&name))dlsym(library, #name))) return dlerror();
  DOCVERSIONS_LIBGIT2_FUNCTIONS(FIND)
  return NULL;
}

#else

const char *docversions_libgit2_load(const char *file, struct docversions_libgit2 *functions) {
  (void)file;
#define FIND(name) functions->name = &name;
  DOCVERSIONS_LIBGIT2_FUNCTIONS(FIND)
  return NULL;
}

#endif

// git_libgit2_opts takes any arguments, which Swift cannot pass.

int docversions_libgit2_set(const struct docversions_libgit2 *functions, git_libgit2_opt_t option, int is_on) {
  return functions->git_libgit2_opts(option, is_on);
}

int docversions_libgit2_set_search_path(
  const struct docversions_libgit2 *functions, git_config_level_t level, const char *path) {
  return functions->git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, path);
}
