/// Reductions of small arrays that are called again and again. Private.
#pragma once

#include "doubling_reduction.hpp"

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

    /// Takes one out. It comes back by `keep`, and does not where MPI fails: its messages may be under way.
    [[nodiscard]] std::unique_ptr<kept> take(
        transport& via, int tag, std::size_t elements, std::size_t element_bytes) {
        for (std::unique_ptr<kept>& each : kept_)
            if (each && each->elements == elements && each->element_bytes == element_bytes)
                return std::move(each);
        return std::make_unique<kept>(via, tag, elements, element_bytes);
    }
    void keep(std::unique_ptr<kept> done) noexcept {
        for (std::unique_ptr<kept>& each : kept_)
            if (!each) {
                each = std::move(done);
                return;
            }
        kept_[oldest_] = std::move(done);
        oldest_ = (oldest_ + 1) % lengths;
    }

private:
    static constexpr std::size_t lengths = 4;
    std::unique_ptr<kept> kept_[lengths];
    std::size_t oldest_ = 0;
};

} // namespace weft
