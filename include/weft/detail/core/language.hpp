/// Stops compilation with a clear message if the language is older than C++20.
#pragma once

#if __cplusplus < 202002L
#error "Weft needs C++20: compile with -std=c++20, or link weft::weft by CMake, which asks for it"
#endif
