#define _GNU_SOURCE
#include "CFileSystem.h"

#include <fcntl.h>
#include <stdio.h>

#ifdef __linux__

int docversions_rename_no_replace(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int docversions_rename_exchange(const char *first, const char *second) {
  return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

#else

int docversions_rename_no_replace(const char *from, const char *to) {
  return renamex_np(from, to, RENAME_EXCL);
}

int docversions_rename_exchange(const char *first, const char *second) {
  return renamex_np(first, second, RENAME_SWAP);
}

#endif
