#include <git2.h>
#include <zlib.h>
