/// Output for persons: numbers, bars, progress.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/observe/timeline.hpp>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
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
/// A bar in the last column of a table on standard output, behind this number of columns: of 40 cells, and of
/// as many as are left where a terminal is narrower.
[[nodiscard]] std::string last_bar(double fraction, int columns_before);

/// A histogram of degrees drawn in rows whose upper bounds double: 0, 1, 2-3, 4-7, ...
[[nodiscard]] std::string draw_degrees(std::map<std::int64_t, std::int64_t> const& histogram);

/// The vertices at each distance drawn in at most about twenty rows, each of equally many distances.
[[nodiscard]] std::string draw_levels(std::vector<std::int64_t> const& levels);

enum class progress_when { automatic, always, never };

/// The text of a line of progress: the phase, how far it is where a total is known, and what is left of it by
/// that, or how long it has lasted. No longer than this number of columns.
[[nodiscard]] std::string progress_text(
    std::string_view name, std::int64_t done, std::int64_t total, double seconds, int columns);

/// The phase in which the last line of progress ended, for what is said of an error; empty before. One for
/// the process, as its command is.
[[nodiscard]] std::string& last_phase();

/// A line on standard error that says what is done and how far it is; drawn four times a second by a thread
/// of its own, not in the first half second, erased at the end. Draws nothing on ranks but 0, nor, when
/// automatic, where standard error is no terminal. In a log each phase is a line, in a timeline a name.
class progress_line {
public:
    progress_line(progress_when when, communicator const& comm);
    ~progress_line();
    progress_line(progress_line const&) = delete;
    progress_line& operator=(progress_line const&) = delete;

    void phase(std::string_view name) { show(name, -1, 0); }
    void show(std::string_view name, std::int64_t done, std::int64_t total);

private:
    void draw_until_the_end();

    communicator comm_;
    std::optional<timeline_span> span_; // of the phase
    bool enabled_;
    bool terminal_;
    std::mutex guard_; // of what follows
    std::condition_variable ends_;
    bool over_ = false;
    double phase_start_ = 0;
    std::string phase_;
    std::int64_t done_ = -1;
    std::int64_t total_ = 0;
    std::thread drawing_;
};

} // namespace weft::tool
