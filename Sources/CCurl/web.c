#include "CCurl.h"

#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#else
#error "The headers of libcurl are missing: apt-get install libcurl4-gnutls-dev"
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Loading

/// The functions of libcurl that are used: a new one is added here and nowhere else.
#define FUNCTIONS(FUNCTION)   \
  FUNCTION(curl_easy_cleanup) \
  FUNCTION(curl_easy_getinfo) \
  FUNCTION(curl_easy_init)    \
  FUNCTION(curl_easy_perform) \
  FUNCTION(curl_easy_reset)   \
  FUNCTION(curl_easy_setopt)  \
  FUNCTION(curl_easy_strerror) \
  FUNCTION(curl_global_init)  \
  FUNCTION(curl_slist_append) \
  FUNCTION(curl_slist_free_all)

// They take their options in any form, which macros of the headers would check.
#undef curl_easy_getinfo
#undef curl_easy_setopt

static struct {
#define FIELD(name) __typeof__(&name) name;
  FUNCTIONS(FIELD)
#undef FIELD
} curl;

static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef __linux__

#include <dlfcn.h>

static void load(void) {
  // Debian has libcurl with one library for encryption or the other; the first is the one that git uses.
  static const char *const files[] = {"libcurl-gnutls.so.4", "libcurl.so.4"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof files / sizeof *files && !library; i++)
    library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    failure = "neither libcurl-gnutls.so.4 nor libcurl.so.4 is there";
    return;
  }
#define FIND(name)                                                        \
  if (!(curl.name = (__typeof__(&name))dlsym(library, #name))) {          \
    failure = "libcurl has no function " #name;                           \
    return;                                                               \
  }
  FUNCTIONS(FIND)
  if (curl.curl_global_init(CURL_GLOBAL_ALL)) failure = "libcurl can't be started";
}

#else

static void load(void) {
#define FIND(name) curl.name = &name;
  FUNCTIONS(FIND)
  if (curl.curl_global_init(CURL_GLOBAL_ALL)) failure = "libcurl can't be started";
}

#endif

const char *docversions_web_load(void) {
  pthread_once(&once, load);
  return failure;
}

// MARK: Requests

struct docversions_web {
  CURL *handle;
};

struct docversions_web *docversions_web_new(void) {
  struct docversions_web *web = calloc(1, sizeof *web);
  if (!web) return NULL;
  if ((web->handle = curl.curl_easy_init())) return web;
  free(web);
  return NULL;
}

void docversions_web_free(struct docversions_web *web) {
  curl.curl_easy_cleanup(web->handle);
  free(web);
}

struct transfer {
  CURL *handle;
  const struct docversions_web_request *request;
  int64_t sent;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  const struct docversions_web_request *request = transfer->request;
  long status = 0;
  curl.curl_easy_getinfo(transfer->handle, CURLINFO_RESPONSE_CODE, &status);
  // What comes before the last answer, from a proxy or to ask for a name, is read over.
  return request->receive(request->context, status, (const uint8_t *)bytes, size * count) ? 0 : size * count;
}

static size_t send_part(char *buffer, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  const struct docversions_web_request *request = transfer->request;
  size_t room = size * count;
  if (transfer->sent < (int64_t)request->body_size) {
    size_t rest = request->body_size - (size_t)transfer->sent;
    size_t part = rest < room ? rest : room;
    memcpy(buffer, (const char *)request->body + transfer->sent, part);
    transfer->sent += (int64_t)part;
    return part;
  }
  if (request->file < 0) return 0;
  ssize_t part = pread(request->file, buffer, room, (off_t)(transfer->sent - (int64_t)request->body_size));
  if (part < 0) return CURL_READFUNC_ABORT;
  transfer->sent += part;
  return (size_t)part;
}

// libcurl goes back to the beginning where a server wants the same request again.
static int seek(void *context, curl_off_t offset, int origin) {
  if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
  ((struct transfer *)context)->sent = offset;
  return CURL_SEEKFUNC_OK;
}

static int proceed(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  const struct transfer *transfer = context;
  return transfer->request->proceed(transfer->request->context, transfer->sent);
}

static enum docversions_web_result result(CURLcode code) {
  switch (code) {
  case CURLE_OK: return DOCVERSIONS_WEB_DONE;
  case CURLE_ABORTED_BY_CALLBACK:
  case CURLE_WRITE_ERROR: return DOCVERSIONS_WEB_STOPPED;
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_RESOLVE_PROXY: return DOCVERSIONS_WEB_NO_HOST;
  case CURLE_COULDNT_CONNECT: return DOCVERSIONS_WEB_NO_CONNECTION;
  case CURLE_OPERATION_TIMEDOUT: return DOCVERSIONS_WEB_TIMED_OUT;
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CONNECT_ERROR:
  case CURLE_SSL_CACERT_BADFILE: return DOCVERSIONS_WEB_NOT_TRUSTED;
  default: return DOCVERSIONS_WEB_FAILED;
  }
}

static void copy(char *to, size_t size, const char *from) {
  size_t count = from ? strnlen(from, size - 1) : 0;
  if (count) memcpy(to, from, count);
  to[count] = 0;
}

static struct curl_slist *header(struct curl_slist *list, const char *name, const char *value) {
  char line[256];
  size_t length = strlen(name) + strlen(value);
  if (length >= sizeof line) return list;
  strcat(strcpy(line, name), value);
  struct curl_slist *longer = curl.curl_slist_append(list, line);
  return longer ? longer : list;
}

void docversions_web_send(
  struct docversions_web *web, const struct docversions_web_request *request, struct docversions_web_answer *answer) {
  CURL *handle = web->handle;
  struct transfer transfer = {handle, request, 0};
  memset(answer, 0, sizeof *answer);
#define SET(option, value) curl.curl_easy_setopt(handle, option, value)
  // Connections stay open; nothing else stays.
  curl.curl_easy_reset(handle);
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_ERRORBUFFER, answer->reason);
  SET(CURLOPT_USERAGENT, request->user_agent);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  // One request comes after the other; with version 2, a server that refuses a large body gives no reason.
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_PROXY, request->proxy);
  SET(CURLOPT_NOPROXY, request->without_proxy);
  SET(CURLOPT_CONNECTTIMEOUT, request->connect_seconds);
  SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
  SET(CURLOPT_LOW_SPEED_TIME, request->idle_seconds);
  if (request->certificates) SET(CURLOPT_CAINFO, request->certificates);
  if (request->user) {
    SET(CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    SET(CURLOPT_USERNAME, request->user);
    SET(CURLOPT_PASSWORD, request->password);
  }
  SET(CURLOPT_WRITEFUNCTION, receive);
  SET(CURLOPT_WRITEDATA, &transfer);
  SET(CURLOPT_NOPROGRESS, 0L);
  SET(CURLOPT_XFERINFOFUNCTION, proceed);
  SET(CURLOPT_XFERINFODATA, &transfer);
  struct curl_slist *headers = header(NULL, "Accept: ", request->accept);
  if (request->body) {
    headers = header(headers, "Content-Type: ", request->content_type);
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)((int64_t)request->body_size + request->file_size));
    SET(CURLOPT_READFUNCTION, send_part);
    SET(CURLOPT_READDATA, &transfer);
    SET(CURLOPT_SEEKFUNCTION, seek);
    SET(CURLOPT_SEEKDATA, &transfer);
  }
  SET(CURLOPT_HTTPHEADER, headers);
  CURLcode code = curl.curl_easy_perform(handle);
  answer->result = result(code);
  if (code && !answer->reason[0]) copy(answer->reason, sizeof answer->reason, curl.curl_easy_strerror(code));
  char *text = NULL;
  curl.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
  if (!curl.curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &text))
    copy(answer->content_type, sizeof answer->content_type, text);
  if (!curl.curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &text))
    copy(answer->redirect, sizeof answer->redirect, text);
  curl.curl_slist_free_all(headers);
#undef SET
}
