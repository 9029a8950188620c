/// A mailbox with the channels and services that C has pointers to. Private.
#pragma once

#include <weft.h>
#include <weft/mailbox/mailbox.hpp>

#include <cstddef>
#include <memory>
#include <vector>

struct weft_channel {
    weft::mail_engine* mail;
    std::size_t item_bytes; ///< 0: messages of any length
    int number;

    /// Sends to a rank that exists: items, or one message of `count` bytes.
    void put(int destination, std::byte const* items, std::size_t count) const;
};

struct weft_service {
    weft_service() = default;
    weft_service(weft_service const&) = delete;
    weft_service& operator=(weft_service const&) = delete;
    virtual ~weft_service() = default;

    virtual void ask(
        int const* destinations, std::byte const* queries, std::byte* answers, std::size_t count) = 0;
};

struct weft_mailbox {
    weft_mailbox(weft::communicator const& comm, weft::mailbox_options const& options)
        : mail(comm, options) {}

    weft::mailbox mail;
    std::vector<std::unique_ptr<weft_channel>> channels;
    std::vector<std::unique_ptr<weft_service>> services;
};

namespace weft::c {

/// Items side by side in a run, as those that C++ sends so; longer ones are messages.
[[nodiscard]] constexpr bool travels_bare(std::size_t item_bytes) noexcept {
    return item_bytes != 0 && item_bytes <= 256;
}

} // namespace weft::c
