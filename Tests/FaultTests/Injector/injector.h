// A library to preload (`LD_PRELOAD`) into a program: it stands between the program and the C library at
// every call that changes files, numbers those calls, and lets hooks see, alter, and record them.
//
//   wrappers.c  one wrapper for each call of the C library; they only fill in a `struct file_call`
//   calls.c     what all wrappers share: paths, scope, numbering, the order of the hooks
//   faults.c    the hooks that kill the program or make a call fail
//   record.c    the hooks that record what was changed, in which order
//
// Built by the tests, not by the package: `cc -D_GNU_SOURCE -fPIC -shared -o faults.so *.c`.
//
// Without `FAULT_ROOT` in its environment a program runs as if the library were not there. With it, calls
// on items below that folder (an absolute path without links, the folder itself included) are in scope.
//
//   FAULT_ROOT    the folder
//   FAULT_COUNT   `changes` (the default) or `reads`: which calls are numbered, from 1 for each process
//   FAULT_LOG     a file, outside the folder: gets one line for each numbered call, before it happens:
//                 `NUMBER TRAITS NAME PATH[ -> SECOND PATH]`; TRAITS are the letters of `enum call_trait`
//   FAULT_AT      the number of the call that the fault hits; none without it
//   FAULT_ACTION  what happens there:
//     kill-before, kill-after   the process is killed before or after the call
//     torn                      half of the bytes are written, then killed; other calls: kill-after
//     short                     a write or a read moves half of its bytes and says so; others: nothing
//     once:ERRNO                the call fails
//     from:ERRNO                it and all later calls fail that ERRNO can hit; see `faults.c`
//     lost-reply[:ERRNO]        the call is done, but reported as failed; without ERRNO as a server does
//                               that sees the request a second time; only calls that change names
//     stop                      the process stops itself (SIGSTOP) before the call
//   An ERRNO is a name: EIO, ENOSPC, EDQUOT, EACCES, EROFS, ENOLCK, EMFILE, EINTR.
//
// What cannot be seen: writes through a shared mapping and through stdio's buffers, and system calls made
// without the C library. A test compares what is seen with what the kernel sees, where it can.
#ifndef FAULT_INJECTOR_H
#define FAULT_INJECTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// What a call does, whatever its name and parameters.
enum call_kind {
  CALL_OPEN,        // open…, creat: `flags`, `mode`; the result is a descriptor
  CALL_READ,        // read, pread: `length`, `offset`
  CALL_WRITE,       // write…, pwrite…: `data`, `length`, `offset`
  CALL_TRUNCATE,    // …truncate: `offset` is the new size
  CALL_ALLOCATE,    // …fallocate: `offset`, `length`; `flags` are its mode
  CALL_COPY,        // copy_file_range, sendfile: `length`, `offset`; no `data`: read it afterwards
  CALL_SYNC,        // fsync, fdatasync, syncfs
  CALL_RENAME,      // rename…: `path` becomes `second_path`; `flags` of renameat2
  CALL_LINK,        // link…: `second_path` becomes a name of the file at `path`
  CALL_SYMLINK,     // symlink…: `path` is the link; `data` its target, `length` bytes
  CALL_UNLINK,      // unlink…, remove
  CALL_RMDIR,       // rmdir, unlinkat with AT_REMOVEDIR
  CALL_MKDIR,       // mkdir…: `mode`
  CALL_ATTRIBUTES,  // chmod, chown, times, extended attributes
  CALL_CLOSE,       // close
  CALL_LOCK,        // flock: `flags` are its operation
};

/// What can be said of a call; the letters are those of the log.
enum call_trait {
  TRAIT_CHANGES = 1,    // c: changes what is on the disk
  TRAIT_ALLOCATES = 2,  // a: needs space
  TRAIT_STORES = 4,     // s: waits for the disk, or hands bytes to it
  TRAIT_NAMES = 8,      // n: changes names only
  TRAIT_WRITES = 16,    // w: takes bytes, and may take fewer
  TRAIT_LOCKS = 32,     // l: locks or unlocks
};

/// A file, whatever its name.
struct file_identity {
  dev_t device;
  ino_t inode;
};

/// One call in scope. The hooks see the same one before and after it.
struct file_call {
  enum call_kind kind;
  const char *name;  // the C library's
  unsigned traits;
  long number;  // from 1, or 0 for calls that are not numbered

  // Absolute, without `.` and `..`, links not followed. Of a descriptor: the path that its file has now.
  char path[PATH_MAX];
  char second_path[PATH_MAX];

  int descriptor;             // or -1
  struct file_identity file;  // of the descriptor; of CALL_OPEN only after the call, if it succeeded
  bool is_new;                // CALL_OPEN: the file will be created

  int flags;
  mode_t mode;
  const void *data;
  size_t length;
  off_t offset;  // where the bytes go, also where the call itself does not say

  // For hooks before the call: a smaller `length` for CALL_READ and CALL_WRITE, or `is_skipped` and a
  // result. After it: what the program gets to see; `error` is errno if `result` is -1.
  bool is_skipped;
  long result;
  int error;
};

/// Called before each call in scope, one at a time.
///
/// A hook may block, kill the process, or set `length`, `is_skipped`, `result` and `error`.
void faults_before(struct file_call *call);
void record_before(struct file_call *call);

/// Called after each call in scope that was not skipped: `record_after` first, so that it sees what was
/// really done, then `faults_after`, which may change the result.
///
/// From the hook before to the hook after, no other thread is in a call in scope, except for CALL_LOCK,
/// which may wait for another thread.
void record_after(struct file_call *call);
void faults_after(struct file_call *call);

/// The file at a path, links not followed; false if there is none.
bool identity_at(const char *path, struct file_identity *identity);

/// Appends bytes to a file past all wrappers, opened just for it; the file is created if need be.
void append_to_file(const char *path, const void *data, size_t length);

/// Ends the process because the environment asks for something that does not exist.
void injector_usage(const char *variable, const char *value) __attribute__((noreturn));

// What wrappers.c needs of calls.c.

/// A function of the C library, past all wrappers.
void *real_function(const char *name);

/// Whether there is a `FAULT_ROOT`.
bool is_injecting(void);

/// Whether `FAULT_COUNT` is `reads`.
bool is_counting_reads(void);

/// A call by name, before its paths are known.
void prepare(struct file_call *call, enum call_kind kind, const char *name);

/// Makes a path absolute.
void set_path(char *result, int folder, const char *path);

/// Takes the path and the identity of an open file.
void set_descriptor(struct file_call *call, int descriptor);

/// Runs the hooks before; false if the call is not to be made, because a hook skipped it.
bool enter(struct file_call *call);

/// Runs the hooks after, sets errno, and gives the result.
long leave(struct file_call *call);

#endif
