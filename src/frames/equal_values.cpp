#include "equal_values.hpp"

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <bit>
#include <string>

namespace weft {

value_print& value_print::add(std::int64_t value) noexcept {
    print_ = detail::fnv_hash(print_).add(static_cast<std::uint64_t>(value)).value();
    print_ ^= print_ >> 29;
    return *this;
}

value_print& value_print::add(double value) noexcept {
    return add(std::bit_cast<std::int64_t>(value + 0.0));
}

value_print& value_print::add(std::string_view text) noexcept {
    for (char const each : text) add(std::int64_t{each});
    return add(static_cast<std::int64_t>(text.size()));
}

value_print& value_print::add(block_distribution const& blocks) noexcept {
    for (int part = 0; part <= blocks.parts(); ++part) add(blocks.begin(part));
    return add(std::int64_t{blocks.parts()});
}

census_value agree_on(char const* call, communicator const& comm, std::exception_ptr const& failure,
    value_print const& print, char const* unequal, census_value carried) {
    std::int64_t const number = failure ? 0 : print.number();
    carried.any |= failure ? 1 : 0;
    carried.max[0] = number;
    carried.max[1] = -number;
    carried = combine_all(comm, carried);
    if ((carried.any & 1) != 0) agree(comm, failure);
    if (carried.max[0] != -carried.max[1]) throw usage_error(std::string(call) + ": the ranks " + unequal);
    return carried;
}

} // namespace weft
