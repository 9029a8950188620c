/// Stops a compiler that was not asked for C++20 with a sentence, before it stumbles over what it does not
/// know.
#pragma once

#if __cplusplus < 202002L
#error "Weft needs C++20: compile with -std=c++20, or link weft::weft by CMake, which asks for it"
#endif
