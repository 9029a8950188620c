/// Checks of the options of generators. Private.
#pragma once

#include <weft/core/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace weft::io {

/// Throws `usage_error`, which names the generator, what was expected and what was found.
class generator_check {
public:
    explicit generator_check(std::string generator) : generator_(std::move(generator)) {}

    template <class Found>
    void require(bool holds, std::string const& expected, Found found) const {
        if (!holds)
            throw usage_error(generator_ + ": expected " + expected + ", found " + std::to_string(found));
    }
    /// For generators that look at pairs of vertices.
    void require_vertices(std::int64_t found) const {
        std::int64_t const most = std::int64_t{1} << 31;
        require(found >= 0 && found <= most, "a number of vertices in 0.." + std::to_string(most), found);
    }
    /// The share of the other vertices that a vertex has `average_degree` of; 0 where there are none.
    [[nodiscard]] double share_of_others(double average_degree, std::int64_t vertices) const {
        auto const others = static_cast<double>(std::max<std::int64_t>(vertices - 1, 0));
        require(average_degree >= 0 && (others == 0 || average_degree <= others),
            "an average degree from 0 to the number of other vertices", average_degree);
        return others == 0 ? 0 : average_degree / others;
    }

private:
    std::string generator_;
};

} // namespace weft::io
