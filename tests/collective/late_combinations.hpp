/// A runner of combinations that an adversary delays and reorders. Private.
#pragma once

#include <weft/detail/collective/combination_runner.hpp>

#include <adversary/chooser.hpp>

#include <utility>
#include <vector>

namespace weft_test {

class late_combinations final : public weft::detail::combination_runner {
public:
    explicit late_combinations(chooser& choices) : choices_(choices) {}

    void begin(std::size_t number, weft::detail::owned<weft::detail::combination> pair) override {
        begun_.push_back({number, std::move(pair)});
    }
    [[nodiscard]] std::optional<outcome> next(bool idle) override {
        if (begun_.empty() || (!idle && choices_.happens("a combination is late", 0.5))) return std::nullopt;
        auto const now =
            begun_.begin() + static_cast<std::ptrdiff_t>(choices_.pick("combination", begun_.size()));
        auto const [number, pair] = std::move(*now);
        begun_.erase(now);
        ++run_;
        try {
            pair->run();
        } catch (...) { return outcome{number, std::current_exception()}; }
        return outcome{number};
    }
    [[nodiscard]] int run() const noexcept { return run_; }

private:
    chooser& choices_;
    std::vector<std::pair<std::size_t, weft::detail::owned<weft::detail::combination>>> begun_;
    int run_ = 0;
};

} // namespace weft_test
