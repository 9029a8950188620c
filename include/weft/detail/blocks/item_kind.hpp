/// Numbers that identify the types of items that blocks send.
#pragma once

#include <weft/detail/blocks/run_list.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/wire/wire.hpp>

#include <cstdint>
#include <typeinfo>

namespace weft::detail {

/// The name and size by which items of T are recognised.
template <wire_type T>
[[nodiscard]] consteval item_type item_print_of() noexcept {
    return print_of<T>(bare_type<T> ? static_cast<std::int64_t>(sizeof(T)) : 0);
}

/// The kind of T: the number of its fingerprint.
template <wire_type T>
[[nodiscard]] consteval item_kind kind_of() noexcept {
    return item_print_of<T>().number;
}

/// A type that blocks send, as an entry of a list of all such types that is complete before `main`. The list
/// detects two types with the same kind: by chance, or types of the same name in two anonymous namespaces.
class known_kind {
public:
    known_kind(item_type const& print, std::type_info const& type) noexcept;
    known_kind(known_kind const&) = delete;
    known_kind& operator=(known_kind const&) = delete;
    ~known_kind();

    /// Local, O(1). Throws: `usage_error`, the same on all ranks, if another type has the same kind.
    void check() const {
        if (other_ != nullptr) [[unlikely]]
            refuse();
    }

private:
    [[nodiscard]] bool clashes_with(known_kind const& other) const noexcept;
    void look_for_others() noexcept;
    [[noreturn]] void refuse() const;

    item_type print_;
    std::type_info const& type_;
    known_kind const* other_ = nullptr; // another type of the same kind
    known_kind* next_ = nullptr;
};

template <wire_type T>
struct kind_entry {
    static inline known_kind known{item_print_of<T>(), typeid(T)};
};

/// Checks the kind of T. Local, O(1). Throws: as `known_kind::check`.
template <wire_type T>
void check_kind() {
    kind_entry<T>::known.check();
}

} // namespace weft::detail
