# What the command draws with.
include_guard(GLOBAL)
pkg_check_modules(PANGOCAIRO REQUIRED IMPORTED_TARGET pangocairo)
pkg_check_modules(SHAPELIB IMPORTED_TARGET shapelib) # coastlines; optional
find_package(fmt 9 REQUIRED)
