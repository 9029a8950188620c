/// State of other modules that is destroyed with a communicator.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/core/communicator_parts.hpp>

#include <typeinfo>
#include <utility>

namespace weft {

/// Returns the `T` of a communicator: constructed from the arguments on first use, and destroyed with the
/// communicator, the newest first. Local.
template <class T, class... Arguments>
T& attachment(communicator const& comm, Arguments&&... arguments) {
    using parts = detail::communicator_parts;
    if (void* const found = parts::find_attachment(comm, typeid(T))) return *static_cast<T*>(found);
    T* const made = new T(std::forward<Arguments>(arguments)...);
    parts::attach(comm, typeid(T), made, [](void* old) { delete static_cast<T*>(old); });
    return *made;
}

} // namespace weft
