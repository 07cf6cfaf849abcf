// System calls that Swift's Glibc and Darwin modules do not show.
#ifndef DOCVERSIONS_CFILESYSTEM_H
#define DOCVERSIONS_CFILESYSTEM_H

#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// Renames `from`, seen from an open folder, to `to`, seen from another one; fails with EEXIST instead of replacing an
/// item that is there. Returns 0, or -1 with errno set (EINVAL or ENOTSUP where the file system cannot).
int docversions_rename_no_replace(int folder, const char *from, int other_folder, const char *to);

/// Exchanges the two items, whatever they are, in one step; each is seen from an open folder.
/// Returns 0, or -1 with errno set (EINVAL or ENOTSUP where the file system cannot).
int docversions_rename_exchange(int folder, const char *first, int other_folder, const char *second);

/// Copies the extended attributes of an open item to another one. Attributes that need privileges, or that the file
/// system does not have, are left out, as `cp -a` does.
void docversions_copy_attributes(int from, int to);

/// Returns when the item was created, in nanoseconds since 1970, links not followed; 0 where the system does not
/// know. It distinguishes a file from a later one that got the same inode.
int64_t docversions_birth_time(const char *path);

/// Returns whether an open item is on a file system of which every change passes through this system: ext4, XFS, Btrfs
/// and tmpfs on Linux. Others may be written from elsewhere.
int docversions_is_changed_here_only(int descriptor);

/// Returns 1 where the file system of an open item keeps the permission bits of each file, 0 where all files have the
/// same ones, and -1 where that is not known: with FUSE, with some mounts of NTFS, over a network.
int docversions_keeps_permission_bits(int descriptor);

/// Returns whether every change of an open item, whose status was read before, shows in the times of its status: so on
/// Linux from 6.13 on, on file systems with times of more than one grain. Elsewhere two changes shortly after one
/// another may get the same time.
int docversions_stamps_each_change(int descriptor);

/// Returns whether ``docversions_synchronize_all`` reports failures for the file system of an open item: so on Linux
/// from 5.8 on, on file systems that are changed here only.
int docversions_can_synchronize_all(int descriptor);

/// Waits until everything that was written to the file system of an open item is on the disk. Returns 0, or -1 with
/// errno set, also where something that was written since the item was opened did not get there.
int docversions_synchronize_all(int descriptor);

/// Waits until what was written to an open item is on the disk. Returns 0, or -1 with errno set.
int docversions_synchronize(int descriptor);

/// Makes the calling thread defer its waits for the disk from now on, or not any more: as long as it does, the functions
/// that wait return at once. Returns whether it deferred them before.
int docversions_defer_waits(int is_deferring);

/// Lets the system begin to write an open file to the disk, where it can. Returns 0, or -1 with errno set where that
/// fails already for want of room or by the disk: a later wait for the file may not report it again.
int docversions_begin_synchronizing(int descriptor);

/// Begins to watch folders, where an open folder is changed here only, and so every change is reported. Returns a
/// descriptor, or -1; `most` becomes the number of folders that should be watched at most.
int docversions_watch_open(int folder, long *most);

/// Watches a folder, its members and itself, links not followed. Returns its mark, the same for the same
/// folder, or -1 with errno set.
int docversions_watch_add(int watch, const char *path);

/// Ends watching a folder.
void docversions_watch_remove(int watch, int mark);

/// Something that happened in a watched folder.
struct docversions_watch_report {
  /// The mark of the folder.
  int mark;
  /// The name of the member, ended by 0; empty for the folder itself.
  char name[256];
};

/// The most reports that are read at a time.
#define DOCVERSIONS_WATCH_REPORTS 64

/// Reads what has happened in watched folders. Returns the number of reports, 0 when nothing is left, or -1 where
/// something may have happened that is not reported.
int docversions_watch_read(
    int watch, struct docversions_watch_report reports[DOCVERSIONS_WATCH_REPORTS]);

/// Limits the address space of a child process, where the system can do that for another process.
void docversions_limit_memory(pid_t process, uint64_t bytes);

/// Waits until no write to the open file is under way, where the file system lets it; moves the place from which the
/// file is read on.
void docversions_wait_for_writes(int descriptor);

/// Keeps programs from opening a file for writing until the descriptor, which is open for reading, is closed: they wait
/// meanwhile.
///
/// - Returns: 0 where it does; 1 where one has it open for writing; -1 where the system does not say.
int docversions_keep_writers_out(int file);

/// Ends that.
void docversions_let_writers_in(int file);

/// Changes a lock on some bytes of an open file, which belongs to this opening of it and goes when it is closed.
///
/// `kind` is 0 for none, 1 for a shared and 2 for an exclusive lock. Never waits. Returns 0, or -1 with errno set, EAGAIN
/// where another opening holds a lock that excludes it.
int docversions_lock_bytes(int file, int kind, int64_t first, int64_t count);

/// Makes a stream socket with a name in an open folder, and listens on it; the path serves where the system can't name a
/// socket by an open folder. Only its user may connect. A negative folder makes a name that is in no file system, to which
/// any user may connect. Returns the socket, or -1 with errno set.
int docversions_socket_listen(int folder, const char *name, const char *path);

/// Connects to a socket with a name in an open folder, or in none, without waiting. Returns the socket, or -1 with errno set.
int docversions_socket_connect(int folder, const char *name, const char *path);

/// Takes a connection from a listening socket, without waiting. Returns it, or -1 with errno set.
int docversions_socket_accept(int socket);

/// Says which process made the other end of a connection, and for which user. Returns 0, or -1 with errno set.
int docversions_socket_peer(int socket, pid_t *process, uid_t *user);

/// Sends bytes, without waiting, and with them an open file unless `descriptor` is negative. Returns how many bytes were
/// sent, or -1 with errno set.
ssize_t docversions_socket_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives bytes, without waiting; `descriptor` becomes an open file that came with them, or -1. Returns how many, 0 at the
/// end, or -1 with errno set.
ssize_t docversions_socket_receive(int socket, void *bytes, size_t count, int *descriptor);

/// Lets a program that is started have no open files from a number on, but those that the actions before open: what others
/// have open would stay so for as long as it runs. Nothing where the system has no call for that.
void docversions_close_others(posix_spawn_file_actions_t *actions, int from);

/// Lets all threads that start from now on take memory from one pool, so that what one has freed another can use.
void docversions_share_memory(void);

/// Gives memory that was freed back to the system.
void docversions_give_back_memory(void);

#endif
