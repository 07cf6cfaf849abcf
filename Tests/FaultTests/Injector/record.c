// The hooks that record what was changed, in which order: into the file FAULT_TRACE, one line for each call
// that was done. Numbers are decimal, names and bytes hexadecimal; a file is its inode number, so a name is
// the inode number of its folder and the name in it.
//
//   create FOLDER NAME FILE MODE          exchange FOLDER NAME FOLDER NAME
//   mkdir FOLDER NAME FILE MODE           write FILE OFFSET BYTES
//   symlink FOLDER NAME FILE TARGET       truncate FILE SIZE
//   link FOLDER NAME FILE                 chmod FILE MODE
//   remove FOLDER NAME                    fsync FILE
//   rename FOLDER NAME FOLDER NAME        sync
//   unknown NAME                          a call that the trace has no words for
//
// What a program writes through a shared mapping is recorded when the mapping goes.
#include "injector.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *trace(void) {
  return is_injecting() ? getenv("FAULT_TRACE") : NULL;
}

// A line under construction

static char *line;
static size_t used, capacity;

static void reserve(size_t length) {
  if (used + length + 1 <= capacity) return;
  capacity = 2 * (used + length + 1);
  line = realloc(line, capacity);
  if (line == NULL) injector_usage("FAULT_TRACE", "no memory");
}

static void put(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reserve(256);
  used += (size_t)vsnprintf(line + used, 256, format, arguments);
  va_end(arguments);
}

static void put_bytes(const void *data, size_t length) {
  static const char digits[] = "0123456789abcdef";
  const unsigned char *bytes = data;
  reserve(2 * length + 1);
  line[used++] = ' ';
  for (size_t index = 0; index < length; index++) {
    line[used++] = digits[bytes[index] >> 4];
    line[used++] = digits[bytes[index] & 15];
  }
}

static void put_file(struct file_identity file) { put(" %lu", (unsigned long)file.inode); }

/// The folder of a path and the name in it.
static void put_place(const char *path) {
  char folder[PATH_MAX];
  const char *name = strrchr(path, '/') + 1;
  snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
  struct file_identity identity = {0, 0};
  identity_at(folder, &identity);
  put_file(identity);
  put_bytes(name, strlen(name));
}

static void finish(void) {
  put("\n");
  append_to_file(trace(), line, used);
  used = 0;
}

// Calls

static struct file_identity file_of(const struct file_call *call) {
  struct file_identity identity = call->file;
  if (call->descriptor < 0) identity_at(call->path, &identity);
  return identity;
}

static mode_t mode_at(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_mode & 07777 : 0;
}

static void put_new(const char *word, const char *path) {
  struct file_identity identity = {0, 0};
  identity_at(path, &identity);
  put("%s", word);
  put_place(path);
  put_file(identity);
}

static void record_write(
    struct file_identity file, off_t offset, const void *data, size_t length) {
  put("write");
  put_file(file);
  put(" %lld", (long long)offset);
  put_bytes(data, length);
  finish();
}

static void record_truncate(struct file_identity file, off_t size) {
  put("truncate");
  put_file(file);
  put(" %lld", (long long)size);
  finish();
}

static void record_unknown(const struct file_call *call) {
  put("unknown");
  put_bytes(call->name, strlen(call->name));
  finish();
}

static void record_open(const struct file_call *call) {
  if (call->is_new) {
    put_new("create", call->path);
    put(" %u", mode_at(call->path));
    finish();
  } else if ((call->flags & O_TRUNC) != 0 && (call->flags & O_ACCMODE) != O_RDONLY) {
    record_truncate(file_of(call), 0);
  }
}

/// Bytes that the kernel copied are read again.
static void record_copy(const struct file_call *call) {
  int (*real_open)(const char *, int, ...) = (int (*)(const char *, int, ...))real_function("open");
  ssize_t (*real_pread)(int, void *, size_t, off_t) =
      (ssize_t(*)(int, void *, size_t, off_t))real_function("pread");
  int (*real_close)(int) = (int (*)(int))real_function("close");
  char *bytes = malloc((size_t)call->result);
  int file = real_open(call->path, O_RDONLY | O_CLOEXEC);
  if (bytes != NULL && file >= 0 &&
      real_pread(file, bytes, (size_t)call->result, call->offset) == call->result) {
    record_write(file_of(call), call->offset, bytes, (size_t)call->result);
  } else {
    record_unknown(call);
  }
  if (file >= 0) real_close(file);
  free(bytes);
}

static void record_allocate(const struct file_call *call) {
  struct stat status;
  if (call->flags == FALLOC_FL_KEEP_SIZE) return;
  if (call->flags != 0 || fstat(call->descriptor, &status) != 0) return record_unknown(call);
  // The file has its new size already.
  record_truncate(file_of(call), status.st_size);
}

static void record_rename(const struct file_call *call) {
  bool is_exchange = (call->flags & RENAME_EXCHANGE) != 0;
  put(is_exchange ? "exchange" : "rename");
  put_place(call->path);
  put_place(call->second_path);
  finish();
}

void record_before(struct file_call *call) { (void)call; }

void record_after(struct file_call *call) {
  if (trace() == NULL || call->result < 0) return;
  switch (call->kind) {
    case CALL_OPEN:
      return record_open(call);
    case CALL_WRITE:
      return record_write(file_of(call), call->offset, call->data, (size_t)call->result);
    case CALL_COPY:
      if (call->result > 0) record_copy(call);
      return;
    case CALL_TRUNCATE:
      return record_truncate(file_of(call), call->offset);
    case CALL_ALLOCATE:
      return record_allocate(call);
    case CALL_SYNC:
      put(strcmp(call->name, "syncfs") == 0 ? "sync" : "fsync");
      if (strcmp(call->name, "syncfs") != 0) put_file(file_of(call));
      return finish();
    case CALL_RENAME:
      return record_rename(call);
    case CALL_LINK:
      put_new("link", call->second_path);
      return finish();
    case CALL_SYMLINK:
      put_new("symlink", call->path);
      put_bytes(call->data, call->length);
      return finish();
    case CALL_MKDIR:
      put_new("mkdir", call->path);
      put(" %u", mode_at(call->path));
      return finish();
    case CALL_UNLINK:
    case CALL_RMDIR:
      put("remove");
      put_place(call->path);
      return finish();
    case CALL_ATTRIBUTES:
      // Owners, times and extended attributes are not what a power cut is judged by.
      if (strstr(call->name, "chmod") == NULL) return;
      put("chmod");
      put_file(file_of(call));
      put(" %u", (unsigned)call->mode & 07777);
      return finish();
    case CALL_READ:
    case CALL_CLOSE:
    case CALL_LOCK:
      return;
  }
}

// Shared mappings

static struct mapping {
  void *start;
  size_t length;
  off_t offset;
  struct file_identity file;
} mappings[64];
static pthread_mutex_t mappings_turn = PTHREAD_MUTEX_INITIALIZER;

/// Notes a mapping through which a file below the root can be written.
static void note(void *start, size_t length, int descriptor, off_t offset) {
  struct file_call call;
  prepare(&call, CALL_WRITE, "mmap");
  set_descriptor(&call, descriptor);
  const char *root = getenv("FAULT_ROOT");
  if (strncmp(call.path, root, strlen(root)) != 0) return;
  pthread_mutex_lock(&mappings_turn);
  for (size_t index = 0; index < sizeof mappings / sizeof mappings[0]; index++) {
    if (mappings[index].start != NULL) continue;
    mappings[index] = (struct mapping){start, length, offset, call.file};
    break;
  }
  pthread_mutex_unlock(&mappings_turn);
}

static void record_mapping(void *start) {
  pthread_mutex_lock(&mappings_turn);
  for (size_t index = 0; index < sizeof mappings / sizeof mappings[0]; index++) {
    struct mapping *mapping = &mappings[index];
    if (mapping->start != start) continue;
    record_write(mapping->file, mapping->offset, mapping->start, mapping->length);
    mapping->start = NULL;
  }
  pthread_mutex_unlock(&mappings_turn);
}

void *mmap64(void *hint, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  void *start = (void *)syscall(SYS_mmap, hint, length, protection, flags, descriptor, offset);
  bool is_written = (protection & PROT_WRITE) != 0 && (flags & MAP_TYPE) == MAP_SHARED;
  if (start != MAP_FAILED && is_written && descriptor >= 0 && trace() != NULL) {
    note(start, length, descriptor, offset);
  }
  return start;
}

void *mmap(void *hint, size_t length, int protection, int flags, int descriptor, off_t offset) {
  return mmap64(hint, length, protection, flags, descriptor, offset);
}

int munmap(void *start, size_t length) {
  if (start != NULL && mappings[0].start != NULL) record_mapping(start);
  return (int)syscall(SYS_munmap, start, length);
}
