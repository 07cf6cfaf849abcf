#define _GNU_SOURCE
#include "CFileSystem.h"

#include <fcntl.h>
#include <stdio.h>

#ifdef __linux__

int docversions_rename_no_replace(int folder, const char *from, int other_folder, const char *to) {
  return renameat2(folder, from, other_folder, to, RENAME_NOREPLACE);
}

int docversions_rename_exchange(int folder, const char *first, int other_folder, const char *second) {
  return renameat2(folder, first, other_folder, second, RENAME_EXCHANGE);
}

#else

int docversions_rename_no_replace(int folder, const char *from, int other_folder, const char *to) {
  return renameatx_np(folder, from, other_folder, to, RENAME_EXCL);
}

int docversions_rename_exchange(int folder, const char *first, int other_folder, const char *second) {
  return renameatx_np(folder, first, other_folder, second, RENAME_SWAP);
}

#endif
