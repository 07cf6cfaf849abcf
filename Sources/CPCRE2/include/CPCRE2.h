// Regular expressions: the door to PCRE2, for texts in UTF-8.
#ifndef DOCVERSIONS_CPCRE2_H
#define DOCVERSIONS_CPCRE2_H

#define PCRE2_CODE_UNIT_WIDTH 8

#if __has_include(<pcre2.h>)
#include <pcre2.h>
#else
#error "The headers of PCRE2 are missing: apt-get install libpcre2-dev"
#endif

#endif
