/// What a person reads: numbers, bars, progress.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tool {

/// "1,234,567".
[[nodiscard]] std::string grouped(std::int64_t number);
/// "4.2 MB", in powers of 1000.
[[nodiscard]] std::string bytes_as_text(std::int64_t bytes);
/// "12.3 ms", "4.56 s".
[[nodiscard]] std::string seconds_as_text(double seconds);
/// A bar of `width` cells filled to `fraction` of 0..1; of block characters in a UTF-8 locale, else of '#'.
[[nodiscard]] std::string bar(double fraction, int width);

/// A histogram of degrees drawn in rows whose upper bounds double: 0, 1, 2-3, 4-7, ...
[[nodiscard]] std::string draw_degrees(std::map<std::int64_t, std::int64_t> const& histogram);

/// The vertices at each distance drawn in at most about twenty rows, each of equally many distances.
[[nodiscard]] std::string draw_levels(std::vector<std::int64_t> const& levels);

enum class progress_when { automatic, always, never };

/// A line on standard error that says what is done and how far it is; drawn at most ten times a second and
/// not in the first half second, erased at the end. Draws nothing on ranks but 0, nor, when automatic, where
/// standard error is no terminal.
class progress_line {
public:
    progress_line(progress_when when, int rank);
    ~progress_line();
    progress_line(progress_line const&) = delete;
    progress_line& operator=(progress_line const&) = delete;

    void phase(std::string_view name) { show(name, -1, 0); }
    void show(std::string_view name, std::int64_t done, std::int64_t total);

private:
    bool enabled_;
    bool terminal_;
    bool drawn_ = false;
    double start_;
    double last_ = 0;
    std::string last_phase_;
};

} // namespace weft::tool
