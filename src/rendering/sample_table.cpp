#include <rendering/sample_table.hpp>

#include <algorithm>
#include <cmath>

namespace weft {

sample_table::sample_table(transfer_function const& transfer, double length) {
    entries_.reserve(steps + 2);
    for (std::size_t i = 0; i <= steps; ++i) {
        rgba here = transfer.at(static_cast<double>(i) / static_cast<double>(steps));
        if (length != 1)
            here.opacity = static_cast<float>(1 - std::pow(1 - static_cast<double>(here.opacity), length));
        entry const color = {here.red, here.green, here.blue, 1};
        entries_.push_back(color * here.opacity);
    }
    entries_.push_back(entries_.back()); // also for the value 1
    opaque_before_.assign(entries_.size() + 1, 0);
    for (std::size_t i = 0; i < entries_.size(); ++i)
        opaque_before_[i + 1] = opaque_before_[i] + (entries_[i][3] > 0 ? 1 : 0);
}

bool sample_table::is_clear(float least, float greatest) const noexcept {
    auto const place = [](float value) {
        return static_cast<std::size_t>(std::clamp(value, 0.0F, 1.0F) * static_cast<float>(steps));
    };
    // Values are rounded, and interpolated between entries, so one more entry on each side counts.
    std::size_t const first = place(least) - std::min<std::size_t>(place(least), 1);
    std::size_t const end = std::min(place(greatest) + 3, entries_.size());
    return opaque_before_[end] == opaque_before_[first];
}

} // namespace weft
