// The hooks that kill the program or make a call fail.
#include "injector.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum action {
  ACTION_NONE,
  ACTION_KILL_BEFORE,
  ACTION_KILL_AFTER,
  ACTION_TORN,
  ACTION_SHORT,
  ACTION_ONCE,
  ACTION_FROM,
  ACTION_LOST_REPLY,
  ACTION_STOP,
};

static const struct {
  const char *name;
  enum action action;
  bool takes_error;
} actions[] = {
    {"kill-before", ACTION_KILL_BEFORE, false},
    {"kill-after", ACTION_KILL_AFTER, false},
    {"torn", ACTION_TORN, false},
    {"short", ACTION_SHORT, false},
    {"once:", ACTION_ONCE, true},
    {"from:", ACTION_FROM, true},
    {"lost-reply:", ACTION_LOST_REPLY, true},
    {"lost-reply", ACTION_LOST_REPLY, false},
    {"stop", ACTION_STOP, false},
};

static const struct {
  const char *name;
  int number;
  unsigned traits;  // what `from` hits: calls with one of these; 0: all
} errors[] = {
    {"ENOSPC", ENOSPC, TRAIT_ALLOCATES}, {"EDQUOT", EDQUOT, TRAIT_ALLOCATES},
    {"EIO", EIO, TRAIT_STORES},          {"EACCES", EACCES, TRAIT_CHANGES},
    {"EROFS", EROFS, TRAIT_CHANGES},     {"ENOLCK", ENOLCK, TRAIT_LOCKS},
    {"EMFILE", EMFILE, 0},               {"EINTR", EINTR, 0},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum action action;
static int error_number;
static unsigned error_traits;
static long at;

static void read_error(const char *name, const char *whole) {
  for (size_t index = 0; index < sizeof errors / sizeof errors[0]; index++) {
    if (strcmp(name, errors[index].name) != 0) continue;
    error_number = errors[index].number;
    error_traits = errors[index].traits;
    return;
  }
  injector_usage("FAULT_ACTION", whole);
}

static void read_action(const char *text) {
  for (size_t index = 0; index < sizeof actions / sizeof actions[0]; index++) {
    size_t length = strlen(actions[index].name);
    if (strncmp(text, actions[index].name, length) != 0) continue;
    if (!actions[index].takes_error && text[length] != '\0') continue;
    action = actions[index].action;
    if (actions[index].takes_error) read_error(text + length, text);
    return;
  }
  injector_usage("FAULT_ACTION", text);
}

static void read_environment(void) {
  const char *number = getenv("FAULT_AT");
  if (number == NULL) return;
  char *end = NULL;
  at = strtol(number, &end, 10);
  if (at < 1 || *end != '\0') injector_usage("FAULT_AT", number);
  const char *text = getenv("FAULT_ACTION");
  if (text == NULL) injector_usage("FAULT_ACTION", text);
  read_action(text);
}

/// The end, without a chance to clean up.
static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/// Whether `once` or `from` hits a call; calls that read have no traits, and can fail with anything.
static bool is_hit(const struct file_call *call) {
  if (action == ACTION_ONCE) return call->number == at;
  if (call->number < at) return false;
  return error_traits == 0 || call->traits == 0 || (call->traits & error_traits) != 0;
}

/// Whether a call may do less than it was asked for.
static bool can_be_short(const struct file_call *call) {
  return (call->traits & TRAIT_WRITES) != 0 || (call->kind == CALL_READ && action == ACTION_SHORT);
}

static void fail(struct file_call *call, int error) {
  call->result = -1;
  call->error = error;
}

void faults_before(struct file_call *call) {
  pthread_once(&once, read_environment);
  if (call->number == 0) return;
  if (action == ACTION_ONCE || action == ACTION_FROM) {
    // A descriptor is closed whatever close says.
    if (!is_hit(call) || call->kind == CALL_CLOSE) return;
    call->is_skipped = true;
    fail(call, error_number);
    return;
  }
  if (call->number != at) return;
  if (action == ACTION_KILL_BEFORE) die();
  if (action == ACTION_STOP) raise(SIGSTOP);
  if ((action == ACTION_TORN || action == ACTION_SHORT) && can_be_short(call)) {
    if (action == ACTION_TORN && call->length < 2) die();
    call->length = (call->length + 1) / 2;
  }
}

/// What a server answers that has done the request already and gets it a second time.
static int second_answer(enum call_kind kind) {
  switch (kind) {
    case CALL_LINK:
    case CALL_SYMLINK:
    case CALL_MKDIR:
      return EEXIST;
    default:
      return ENOENT;
  }
}

void faults_after(struct file_call *call) {
  if (call->number == 0) return;
  if (call->kind == CALL_CLOSE && (action == ACTION_ONCE || action == ACTION_FROM) && is_hit(call)) {
    fail(call, error_number);
  }
  if (call->number != at) return;
  if (action == ACTION_KILL_AFTER || action == ACTION_TORN) die();
  if (action == ACTION_LOST_REPLY && (call->traits & TRAIT_NAMES) && call->result == 0) {
    fail(call, error_number != 0 ? error_number : second_answer(call->kind));
  }
}
