/// Values that must be equal on all ranks, agreed together with errors. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/detail/frames/frame_values.hpp>
#include <weft/extend/transport/census_value.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstdint>
#include <exception>
#include <string_view>

namespace weft {

/// A fingerprint of some values: two different lists have the same one with a probability of 2^-62.
class value_print {
public:
    value_print& add(std::int64_t value) noexcept;
    /// Both zeros are equal.
    value_print& add(double value) noexcept;
    value_print& add(std::string_view text) noexcept;
    value_print& add(block_distribution const& blocks) noexcept;

    friend bool operator==(value_print const&, value_print const&) = default;
    [[nodiscard]] std::int64_t number() const noexcept { return static_cast<std::int64_t>(print_ >> 2); }

private:
    std::uint64_t print_ = detail::fnv_hash().value();
};

/// `agree_on` uses the maxima below this one, and the first flag; all else of a census is free.
inline constexpr std::size_t first_free_maximum = 2;

/// Throws on all ranks the error that one has in `failure`; else, if the fingerprints differ, a `usage_error`
/// of `call`, "the ranks" and `unequal`. Returns the combination of `carried`. Collective: yes. Cost: one
/// census; another one and a broadcast if a rank failed.
census_value agree_on(char const* call, communicator const& comm, std::exception_ptr const& failure,
    value_print const& print, char const* unequal, census_value carried = census_value::identity());

} // namespace weft
