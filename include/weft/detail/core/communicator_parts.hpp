/// Access to the private parts of a communicator.
#pragma once

#include <weft/core/communicator.hpp>

#include <typeinfo>

namespace weft::detail {

/// All members are local. `attach` takes over `object`, which is destroyed with the communicator.
struct communicator_parts {
    [[nodiscard]] static communicator_state& state(communicator const& comm) noexcept;
    /// Returns a handle that shares the ownership of the state.
    [[nodiscard]] static communicator handle_of(communicator_state& state) noexcept;
    [[nodiscard]] static bool is_only_handle(communicator const& comm) noexcept;
    [[nodiscard]] static void* find_attachment(communicator const& comm, std::type_info const& type) noexcept;
    static void attach(
        communicator const& comm, std::type_info const& type, void* object, void (*destroy)(void*));
};

} // namespace weft::detail
