/// The events of one run under the adversary, a numbered line for each.
#pragma once

#include <cstdio>
#include <string>

namespace weft_test {

/// Stored until it is requested, so that only a failing run is printed; or printed line by line, for a run
/// that crashes or never ends.
class run_trace {
public:
    explicit run_trace(bool at_once = false) : at_once_(at_once) {}

    void line(std::string const& what) {
        lines_ += std::to_string(++number_) + ": " + what + "\n";
        if (at_once_) show();
    }
    void show() {
        std::fwrite(lines_.data(), 1, lines_.size(), stderr);
        lines_.clear();
    }
    [[nodiscard]] std::string const& lines() const noexcept { return lines_; }
    [[nodiscard]] int count() const noexcept { return number_; }

private:
    bool at_once_;
    int number_ = 0;
    std::string lines_;
};

} // namespace weft_test
