/// Decompositions of any kind behind one type: what a set of blocks is made over.
#pragma once

#include "call.hpp"

#include <weft/blocks/kd_tree.hpp>
#include <weft/blocks/link.hpp>
#include <weft/blocks/regular_grid.hpp>

#include <cstdint>
#include <utility>
#include <variant>

namespace weft::python {

/// Links that a function of Python gives, called inside of the library.
struct given_links {
    std::int64_t count = 0;
    nb::callable function;

    [[nodiscard]] std::int64_t blocks() const noexcept { return count; }
    [[nodiscard]] link link_of(block_id block) const;
};

/// One of the decompositions that Python can make.
class decomposition_of_python {
public:
    template <class D>
    explicit decomposition_of_python(D cut) : cut_(std::move(cut)) {}

    [[nodiscard]] std::int64_t blocks() const {
        return std::visit([](auto const& cut) { return cut.blocks(); }, cut_);
    }
    [[nodiscard]] link link_of(block_id block) const {
        return std::visit([&](auto const& cut) { return cut.link_of(block); }, cut_);
    }

    template <class D>
    [[nodiscard]] D const& as() const {
        return std::get<D>(cut_);
    }

private:
    std::variant<regular_grid<std::int64_t>, regular_grid<double>, kd_tree, given_links> cut_;
};

} // namespace weft::python
