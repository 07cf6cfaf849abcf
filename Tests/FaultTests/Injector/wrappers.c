// One wrapper for each call of the C library that changes or opens files. Each tells in a `struct file_call`
// what is asked for; what happens then is not decided here.
#include "injector.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

/// The C library's own function.
#define REAL(function)                                                          \
  ({                                                                            \
    static __typeof__(&function) found;                                         \
    if (found == NULL) found = (__typeof__(&function))real_function(#function); \
    found;                                                                      \
  })

/// A call named like the wrapper that it is in.
#define BEGIN(kind)      \
  struct file_call call; \
  prepare(&call, kind, __func__)

/// Runs the hooks before, the real call, and the hooks after, and returns.
#define FINISH(invocation)                      \
  do {                                          \
    if (enter(&call)) call.result = invocation; \
    return leave(&call);                        \
  } while (0)

// Opening and closing

static bool needs_mode(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

#define TAKE_MODE(flags)         \
  mode_t mode = 0;               \
  if (needs_mode(flags)) {       \
    va_list rest;                \
    va_start(rest, flags);       \
    mode = va_arg(rest, mode_t); \
    va_end(rest);                \
  }

static void set_open(struct file_call *call, int folder, const char *path, int flags, mode_t mode) {
  set_path(call->path, folder, path);
  call->flags = flags;
  call->mode = mode;
}

int open(const char *path, int flags, ...) {
  TAKE_MODE(flags)
  BEGIN(CALL_OPEN);
  set_open(&call, AT_FDCWD, path, flags, mode);
  FINISH(REAL(open)(path, flags, mode));
}

int open64(const char *path, int flags, ...) {
  TAKE_MODE(flags)
  BEGIN(CALL_OPEN);
  set_open(&call, AT_FDCWD, path, flags, mode);
  FINISH(REAL(open64)(path, flags, mode));
}

int openat(int folder, const char *path, int flags, ...) {
  TAKE_MODE(flags)
  BEGIN(CALL_OPEN);
  set_open(&call, folder, path, flags, mode);
  FINISH(REAL(openat)(folder, path, flags, mode));
}

int openat64(int folder, const char *path, int flags, ...) {
  TAKE_MODE(flags)
  BEGIN(CALL_OPEN);
  set_open(&call, folder, path, flags, mode);
  FINISH(REAL(openat64)(folder, path, flags, mode));
}

// What `open` is called in programs built with _FORTIFY_SOURCE; never with a mode.

int __open_2(const char *path, int flags) { return open(path, flags); }

int __open64_2(const char *path, int flags) { return open64(path, flags); }

int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }

int __openat64_2(int folder, const char *path, int flags) { return openat64(folder, path, flags); }

int creat(const char *path, mode_t mode) {
  return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int creat64(const char *path, mode_t mode) {
  return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int mkostemp(char *template, int flags) {
  BEGIN(CALL_OPEN);
  // The name is not known before; what is logged are its X.
  set_open(&call, AT_FDCWD, template, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
  if (enter(&call)) {
    call.result = REAL(mkostemp)(template, flags);
    set_path(call.path, AT_FDCWD, template);
  }
  return leave(&call);
}

int mkstemp(char *template) { return mkostemp(template, 0); }

int mkstemp64(char *template) { return mkostemp(template, 0); }

char *mkdtemp(char *template) {
  BEGIN(CALL_MKDIR);
  set_path(call.path, AT_FDCWD, template);
  call.mode = 0700;
  if (enter(&call)) {
    call.result = REAL(mkdtemp)(template) == NULL ? -1 : 0;
    set_path(call.path, AT_FDCWD, template);
  }
  return leave(&call) == -1 ? NULL : template;
}

int close(int descriptor) {
  BEGIN(CALL_CLOSE);
  set_descriptor(&call, descriptor);
  FINISH(REAL(close)(descriptor));
}

int flock(int descriptor, int operation) {
  BEGIN(CALL_LOCK);
  set_descriptor(&call, descriptor);
  call.flags = operation;
  FINISH(REAL(flock)(descriptor, operation));
}

// Bytes

ssize_t read(int descriptor, void *data, size_t length) {
  if (!is_counting_reads()) return REAL(read)(descriptor, data, length);
  BEGIN(CALL_READ);
  set_descriptor(&call, descriptor);
  call.length = length;
  FINISH(REAL(read)(descriptor, data, call.length));
}

ssize_t pread(int descriptor, void *data, size_t length, off_t offset) {
  if (!is_counting_reads()) return REAL(pread)(descriptor, data, length, offset);
  BEGIN(CALL_READ);
  set_descriptor(&call, descriptor);
  call.length = length;
  call.offset = offset;
  FINISH(REAL(pread)(descriptor, data, call.length, offset));
}

ssize_t pread64(int descriptor, void *data, size_t length, off64_t offset) {
  return pread(descriptor, data, length, offset);
}

static void set_write(struct file_call *call, int descriptor, const void *data, size_t length) {
  set_descriptor(call, descriptor);
  call->data = data;
  call->length = length;
}

ssize_t write(int descriptor, const void *data, size_t length) {
  BEGIN(CALL_WRITE);
  set_write(&call, descriptor, data, length);
  FINISH(REAL(write)(descriptor, data, call.length));
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
  BEGIN(CALL_WRITE);
  set_write(&call, descriptor, data, length);
  call.offset = offset;
  FINISH(REAL(pwrite)(descriptor, data, call.length, offset));
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
  BEGIN(CALL_WRITE);
  set_write(&call, descriptor, data, length);
  call.offset = offset;
  FINISH(REAL(pwrite64)(descriptor, data, call.length, offset));
}

/// The pieces as one, for hooks to see; NULL without memory.
static char *joined(const struct iovec *pieces, int count, size_t *length) {
  *length = 0;
  for (int index = 0; index < count; index++) *length += pieces[index].iov_len;
  char *result = malloc(*length > 0 ? *length : 1);
  size_t used = 0;
  for (int index = 0; index < count && result != NULL; index++) {
    memcpy(result + used, pieces[index].iov_base, pieces[index].iov_len);
    used += pieces[index].iov_len;
  }
  return result;
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
  if (!is_injecting()) return REAL(writev)(descriptor, pieces, count);
  size_t length;
  char *data = joined(pieces, count, &length);
  if (data == NULL) return -1;
  ssize_t result = write(descriptor, data, length);
  free(data);
  return result;
}

ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t offset) {
  if (!is_injecting()) return REAL(pwritev)(descriptor, pieces, count, offset);
  size_t length;
  char *data = joined(pieces, count, &length);
  if (data == NULL) return -1;
  ssize_t result = pwrite(descriptor, data, length, offset);
  free(data);
  return result;
}

ssize_t pwritev64(int descriptor, const struct iovec *pieces, int count, off64_t offset) {
  return pwritev(descriptor, pieces, count, offset);
}

ssize_t copy_file_range(
    int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length, unsigned flags) {
  BEGIN(CALL_COPY);
  set_write(&call, to, NULL, length);
  if (to_offset != NULL) call.offset = *to_offset;
  FINISH(REAL(copy_file_range)(from, from_offset, to, to_offset, length, flags));
}

ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
  BEGIN(CALL_COPY);
  set_write(&call, to, NULL, length);
  FINISH(REAL(sendfile)(to, from, offset, length));
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
  return sendfile(to, from, offset, length);
}

int ftruncate(int descriptor, off_t size) {
  BEGIN(CALL_TRUNCATE);
  set_descriptor(&call, descriptor);
  call.offset = size;
  FINISH(REAL(ftruncate)(descriptor, size));
}

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

int truncate(const char *path, off_t size) {
  BEGIN(CALL_TRUNCATE);
  set_path(call.path, AT_FDCWD, path);
  call.offset = size;
  FINISH(REAL(truncate)(path, size));
}

int truncate64(const char *path, off64_t size) { return truncate(path, size); }

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  BEGIN(CALL_ALLOCATE);
  set_descriptor(&call, descriptor);
  call.flags = mode;
  call.offset = offset;
  call.length = (size_t)length;
  FINISH(REAL(fallocate)(descriptor, mode, offset, length));
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  return fallocate(descriptor, mode, offset, length);
}

/// Unlike all others it returns the error, and leaves errno alone.
int posix_fallocate(int descriptor, off_t offset, off_t length) {
  BEGIN(CALL_ALLOCATE);
  set_descriptor(&call, descriptor);
  call.offset = offset;
  call.length = (size_t)length;
  int before = errno;
  if (enter(&call)) {
    errno = REAL(posix_fallocate)(descriptor, offset, length);
    call.result = errno == 0 ? 0 : -1;
  }
  int error = leave(&call) == -1 ? errno : 0;
  errno = before;
  return error;
}

int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  return posix_fallocate(descriptor, offset, length);
}

int fsync(int descriptor) {
  BEGIN(CALL_SYNC);
  set_descriptor(&call, descriptor);
  FINISH(REAL(fsync)(descriptor));
}

int fdatasync(int descriptor) {
  BEGIN(CALL_SYNC);
  set_descriptor(&call, descriptor);
  FINISH(REAL(fdatasync)(descriptor));
}

int syncfs(int descriptor) {
  BEGIN(CALL_SYNC);
  set_descriptor(&call, descriptor);
  FINISH(REAL(syncfs)(descriptor));
}

// Names

static void set_paths(
    struct file_call *call, int folder, const char *path, int second_folder, const char *second) {
  set_path(call->path, folder, path);
  set_path(call->second_path, second_folder, second);
}

int rename(const char *from, const char *to) {
  BEGIN(CALL_RENAME);
  set_paths(&call, AT_FDCWD, from, AT_FDCWD, to);
  FINISH(REAL(rename)(from, to));
}

int renameat(int folder, const char *from, int second_folder, const char *to) {
  BEGIN(CALL_RENAME);
  set_paths(&call, folder, from, second_folder, to);
  FINISH(REAL(renameat)(folder, from, second_folder, to));
}

int renameat2(int folder, const char *from, int second_folder, const char *to, unsigned flags) {
  BEGIN(CALL_RENAME);
  set_paths(&call, folder, from, second_folder, to);
  call.flags = (int)flags;
  FINISH(REAL(renameat2)(folder, from, second_folder, to, flags));
}

int link(const char *from, const char *to) {
  BEGIN(CALL_LINK);
  set_paths(&call, AT_FDCWD, from, AT_FDCWD, to);
  FINISH(REAL(link)(from, to));
}

int linkat(int folder, const char *from, int second_folder, const char *to, int flags) {
  BEGIN(CALL_LINK);
  set_paths(&call, folder, from, second_folder, to);
  call.flags = flags;
  FINISH(REAL(linkat)(folder, from, second_folder, to, flags));
}

int symlinkat(const char *target, int folder, const char *path) {
  BEGIN(CALL_SYMLINK);
  set_path(call.path, folder, path);
  call.data = target;
  call.length = strlen(target);
  FINISH(REAL(symlinkat)(target, folder, path));
}

int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

int unlink(const char *path) {
  BEGIN(CALL_UNLINK);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(unlink)(path));
}

int unlinkat(int folder, const char *path, int flags) {
  BEGIN((flags & AT_REMOVEDIR) != 0 ? CALL_RMDIR : CALL_UNLINK);
  set_path(call.path, folder, path);
  call.flags = flags;
  FINISH(REAL(unlinkat)(folder, path, flags));
}

int remove(const char *path) {
  struct stat status;
  bool is_folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder ? rmdir(path) : unlink(path);
}

int rmdir(const char *path) {
  BEGIN(CALL_RMDIR);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(rmdir)(path));
}

int mkdir(const char *path, mode_t mode) {
  BEGIN(CALL_MKDIR);
  set_path(call.path, AT_FDCWD, path);
  call.mode = mode;
  FINISH(REAL(mkdir)(path, mode));
}

int mkdirat(int folder, const char *path, mode_t mode) {
  BEGIN(CALL_MKDIR);
  set_path(call.path, folder, path);
  call.mode = mode;
  FINISH(REAL(mkdirat)(folder, path, mode));
}

// Attributes

int chmod(const char *path, mode_t mode) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  call.mode = mode;
  FINISH(REAL(chmod)(path, mode));
}

int fchmod(int descriptor, mode_t mode) {
  BEGIN(CALL_ATTRIBUTES);
  set_descriptor(&call, descriptor);
  call.mode = mode;
  FINISH(REAL(fchmod)(descriptor, mode));
}

int fchmodat(int folder, const char *path, mode_t mode, int flags) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, folder, path);
  call.mode = mode;
  FINISH(REAL(fchmodat)(folder, path, mode, flags));
}

int chown(const char *path, uid_t owner, gid_t group) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(chown)(path, owner, group));
}

int lchown(const char *path, uid_t owner, gid_t group) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(lchown)(path, owner, group));
}

int fchown(int descriptor, uid_t owner, gid_t group) {
  BEGIN(CALL_ATTRIBUTES);
  set_descriptor(&call, descriptor);
  FINISH(REAL(fchown)(descriptor, owner, group));
}

int fchownat(int folder, const char *path, uid_t owner, gid_t group, int flags) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, folder, path);
  FINISH(REAL(fchownat)(folder, path, owner, group, flags));
}

int utime(const char *path, const struct utimbuf *times) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(utime)(path, times));
}

int utimes(const char *path, const struct timeval times[2]) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(utimes)(path, times));
}

int lutimes(const char *path, const struct timeval times[2]) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(lutimes)(path, times));
}

int futimes(int descriptor, const struct timeval times[2]) {
  BEGIN(CALL_ATTRIBUTES);
  set_descriptor(&call, descriptor);
  FINISH(REAL(futimes)(descriptor, times));
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, folder, path);
  FINISH(REAL(utimensat)(folder, path, times, flags));
}

int futimens(int descriptor, const struct timespec times[2]) {
  BEGIN(CALL_ATTRIBUTES);
  set_descriptor(&call, descriptor);
  FINISH(REAL(futimens)(descriptor, times));
}

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(setxattr)(path, name, value, size, flags));
}

int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(lsetxattr)(path, name, value, size, flags));
}

int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
  BEGIN(CALL_ATTRIBUTES);
  set_descriptor(&call, descriptor);
  FINISH(REAL(fsetxattr)(descriptor, name, value, size, flags));
}

int removexattr(const char *path, const char *name) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(removexattr)(path, name));
}

int lremovexattr(const char *path, const char *name) {
  BEGIN(CALL_ATTRIBUTES);
  set_path(call.path, AT_FDCWD, path);
  FINISH(REAL(lremovexattr)(path, name));
}

int fremovexattr(int descriptor, const char *name) {
  BEGIN(CALL_ATTRIBUTES);
  set_descriptor(&call, descriptor);
  FINISH(REAL(fremovexattr)(descriptor, name));
}
