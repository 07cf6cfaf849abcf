#include <git2.h>
#include <nettle/sha1.h>
#include <zlib.h>
