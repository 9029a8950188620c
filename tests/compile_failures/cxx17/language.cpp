// A compiler that was asked for C++17 is told first what to ask it for.
#if WEFT_SECTION == 1
// EXPECT-ERROR: \A(?:(?:In file included)?\s*from[^\n]*\n)+[^\n]*error: (?:#error )?"Weft needs C\+\+20:
// compile with -std=c\+\+20
#include <weft/weft.hpp>
#endif

#if WEFT_SECTION == 2
// EXPECT-ERROR: \A(?:(?:In file included)?\s*from[^\n]*\n)+[^\n]*error: (?:#error )?"Weft needs C\+\+20:
// compile with -std=c\+\+20
#include <weft/core/communicator.hpp>
#endif
