/// A rank's part of a container of hashed keys.
#pragma once

#include <weft/detail/containers/local_table.hpp>
#include <weft/detail/core/shared.hpp>

#include <cstdint>

namespace weft::detail {

struct walked_part : counted {
    bool is_walked = false; ///< true while `for_all` visits the entries
};

template <class K, class V>
struct hashed_part : walked_part {
    local_table<K, V> table;

    [[nodiscard]] static std::uint64_t locate(argument_of<K> key) { return hash_of_key<K>(key); }
    void prefetch(std::uint64_t hash) const noexcept { table.prefetch(hash); }
    void prefetch_entry(std::uint64_t hash) const noexcept { table.prefetch_entry(hash); }
};

} // namespace weft::detail
