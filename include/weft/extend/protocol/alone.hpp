/// Missing memory that leaves a collective call on one rank.
#pragma once

#include <exception>

namespace weft {

/// Called while a `std::bad_alloc` that leaves a collective call is handled: unless the other ranks were told
/// of it, this rank has failed alone, since they wait in the call. Without other ranks nothing happens.
/// `call` is of static lifetime. Local.
void alone_unless_agreed(char const* call) noexcept;

/// Notes that the other ranks learn of an exception of this rank, which it throws next. Local.
void note_agreed(std::exception_ptr const& thrown) noexcept;

/// Notes whether an exception on its way has left a mailbox, whose other ranks were told. Local.
void note_mailbox_left(bool by_exception) noexcept;

} // namespace weft
