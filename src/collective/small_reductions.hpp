/// Reductions of small arrays that are called again and again. Private.
#pragma once

#include "doubling_reduction.hpp"
#include "last_few.hpp"

#include <weft/detail/collective/small_values.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace weft {

/// The engines of the last few lengths on a communicator: to make one takes longer than to run it.
class small_reductions {
public:
    struct kept {
        kept(transport& via, int tag, std::size_t count, std::size_t bytes)
            : elements(count), element_bytes(bytes), engine(via, tag, count, bytes) {}
        std::size_t elements;
        std::size_t element_bytes;
        doubling_reduction engine;
    };

    /// Takes one out; see `last_few`.
    [[nodiscard]] std::unique_ptr<kept> take(
        transport& via, int tag, std::size_t elements, std::size_t element_bytes) {
        return engines_.take(
            [&](kept const& each) {
                return each.elements == elements && each.element_bytes == element_bytes;
            },
            [&] { return std::make_unique<kept>(via, tag, elements, element_bytes); });
    }
    void keep(std::unique_ptr<kept> done) noexcept { engines_.keep(std::move(done)); }

private:
    last_few<kept> engines_;
};

} // namespace weft
