/// Collectives of arrays of ranks that are called again and again. Private.
#pragma once

#include "last_few.hpp"

#include "array_reduction.hpp"
#include "array_spread.hpp"

#include <weft/collective/schedule.hpp>
#include <weft/core/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace weft {

enum class array_shape_kind : std::uint8_t { merge, swap_contiguous, swap_strided };

/// A collective with one array a rank: calls of equal shape do the same.
struct array_shape {
    array_shape_kind kind = array_shape_kind::merge;
    int root = 0;
    std::size_t elements = 0;
    std::size_t element_bytes = 1;

    friend bool operator==(array_shape const&, array_shape const&) = default;
};

/// A collective that has been planned. Its engines are made when they are first run.
class kept_call {
public:
    kept_call(communicator const& comm, array_shape const& shape, regular_schedule rounds)
        : shape_(shape),
          rounds_(std::move(rounds)),
          who_(participants::ranks(comm.rank())),
          call_{rounds_, who_, {&data_, 1}, shape.elements, shape.element_bytes, segment_bytes_on(comm)},
          kept_(kept_elements(rounds_, comm.rank(), shape.elements)) {}
    kept_call(kept_call const&) = delete;
    kept_call& operator=(kept_call const&) = delete;

    [[nodiscard]] array_shape const& shape() const noexcept { return shape_; }
    /// The elements that this rank has after a reduction.
    [[nodiscard]] element_range kept() const noexcept { return kept_; }

    /// As `reduce_arrays` and `spread_arrays`.
    void reduce(
        communicator const& comm, std::byte* data, array_operator& how, bool may_throw, char const* name);
    void spread(communicator const& comm, std::byte* data, char const* name);

private:
    array_shape shape_;
    regular_schedule rounds_;
    participants who_;
    std::byte* data_ = nullptr;
    array_call call_;
    element_range kept_;
    std::optional<array_reduction> up_;
    std::optional<array_spread> down_;
};

/// The calls of the last few shapes on a communicator. To plan a call takes as long as a small reduction.
class kept_calls {
public:
    /// Takes out the call of a shape; `make_rounds()` plans one that is not here. See `last_few`.
    template <class MakeRounds>
    [[nodiscard]] std::unique_ptr<kept_call> take(
        communicator const& comm, array_shape const& shape, MakeRounds&& make_rounds) {
        return calls_.take([&](kept_call const& each) { return each.shape() == shape; },
            [&] { return std::make_unique<kept_call>(comm, shape, make_rounds()); });
    }
    void keep(std::unique_ptr<kept_call> call) noexcept { calls_.keep(std::move(call)); }

private:
    last_few<kept_call> calls_;
};

} // namespace weft
