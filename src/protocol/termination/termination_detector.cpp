#include "barrier_consensus.hpp"
#include "four_counters.hpp"
#include "termination.hpp"

#include <weft/extend/protocol/termination_detector.hpp>

#include <algorithm>
#include <iterator>

namespace weft {

namespace {

/// `termination`, which is done only when all is quiet.
class termination_by_waves final : public termination_detector {
public:
    termination_by_waves(
        transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines)
        : end_(via, nodes, control_tag, lines) {}

    void sent(std::int64_t messages) noexcept override { end_.sent(messages); }
    void handled(std::int64_t messages) noexcept override { end_.handled(messages); }

    [[nodiscard]] progress step(bool idle) override {
        if (!end_.voted()) {
            if (!idle) return progress::none;
            census_value nothing_else = census_value::identity();
            end_.vote(nothing_else);
        }
        progress const now = end_.step();
        if (now != progress::done) return now;
        return end_.quiet() ? progress::done : progress::some;
    }

    [[nodiscard]] std::int64_t waves() const noexcept override { return end_.waves(); }
    [[nodiscard]] std::int64_t control_messages() const noexcept override { return end_.messages(); }

private:
    termination end_;
};

} // namespace

std::string_view name_of(termination_method value) noexcept {
    constexpr std::string_view names[] = {
        "barrier_consensus", "four_counters", "dissemination", "shared_lines", "unknown"};
    return names[std::min(static_cast<std::size_t>(value), std::size(names) - 1)];
}

std::unique_ptr<termination_detector> make_termination_detector(termination_method method, transport& via,
    topology const& nodes, int control_tag, std::span<std::byte* const> lines) {
    switch (method) {
    case termination_method::barrier_consensus:
        return std::make_unique<barrier_consensus>(via);
    case termination_method::four_counters:
        return std::make_unique<four_counters>(via);
    case termination_method::dissemination:
        lines = {};
        break;
    case termination_method::shared_lines:
        break;
    }
    return std::make_unique<termination_by_waves>(via, nodes, control_tag, lines);
}

} // namespace weft
