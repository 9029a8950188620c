/// Items to their owners in bulk: partition a batch by destination, MPI_Alltoallv, handle what came.
#pragma once

#include <weft/core/communicator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::limits {

/// The counts and offsets of one MPI_Alltoallv, in items, by rank.
class bulk_counts {
public:
    explicit bulk_counts(communicator const& comm);

    /// The most batches that any rank has: who has fewer takes part with empty ones. Collective.
    [[nodiscard]] std::size_t most_batches(std::size_t mine) const;

    /// Computes where the items of each destination lie, from `to_send`.
    void place();
    /// Where this rank's items for itself lie.
    [[nodiscard]] int own_start() const noexcept {
        return send_start[static_cast<std::size_t>(comm_.rank())];
    }
    /// Takes this rank's items for itself out of what is sent; returns how many they are.
    std::size_t keep_own() noexcept {
        return static_cast<std::size_t>(std::exchange(to_send[static_cast<std::size_t>(comm_.rank())], 0));
    }
    /// Tells the others how many items come; returns how many come here. Collective.
    std::size_t exchange_counts();
    /// The items that were placed, to where they belong. Collective.
    void exchange_items(void const* out, void* in, std::size_t item_bytes) const;
    /// The way back: an answer for each item that came, in its order. Collective.
    void return_items(void const* out, void* in, std::size_t item_bytes) const;

    std::vector<int> to_send;    ///< by destination
    std::vector<int> send_start; ///< by destination

private:
    communicator comm_;
    std::vector<int> to_receive_;
    std::vector<int> receive_start_;
};

/// The histogram in bulk; what a rank sends to itself is handled where it lies.
class bulk_all_to_all {
public:
    explicit bulk_all_to_all(communicator const& comm, std::size_t batch = 64 * 1024)
        : counts_(comm), batch_(batch), odd_counts_(static_cast<std::size_t>(comm.size())) {}

    /// Sends `Item(source)` to `owner(source)` for every source, and handles with `handler(item)` what comes
    /// to this rank. Collective.
    template <class Item, class Source, class Owner, class Handler>
    void run(std::span<Source const> sources, Owner owner, Handler handler) {
        static_assert(std::is_trivially_copyable_v<Item>);
        std::size_t const batches = counts_.most_batches((sources.size() + batch_ - 1) / batch_);
        for (std::size_t i = 0; i < batches; ++i) {
            auto const batch = sources.subspan(std::min(i * batch_, sources.size()));
            send_batch<Item>(batch.first(std::min(batch_, batch.size())), owner, handler);
        }
    }

private:
    template <class Item, class Source, class Owner, class Handler>
    void send_batch(std::span<Source const> batch, Owner owner, Handler handler) {
        count(batch, owner);
        counts_.place();
        out_.resize(std::max(out_.size(), batch.size() * sizeof(Item)));
        auto* const out = reinterpret_cast<Item*>(out_.data());
        std::vector<Item*> next; // by destination
        for (int const start : counts_.send_start) next.push_back(out + start);
        for (Item** const cursors = next.data(); Source const& source : batch)
            *cursors[owner(source)]++ = static_cast<Item>(source);
        Item const* const own = out + counts_.own_start();
        for (Item const& item : std::span(own, counts_.keep_own())) handler(item);
        std::size_t const incoming = counts_.exchange_counts();
        in_.resize(std::max(in_.size(), incoming * sizeof(Item)));
        counts_.exchange_items(out_.data(), in_.data(), sizeof(Item));
        for (Item const& item : std::span(reinterpret_cast<Item const*>(in_.data()), incoming)) handler(item);
    }

    /// By two histograms, so that an item need not wait for the count of the one before it.
    template <class Source, class Owner>
    void count(std::span<Source const> batch, Owner owner) {
        std::ranges::fill(counts_.to_send, 0);
        std::ranges::fill(odd_counts_, 0);
        int* const even = counts_.to_send.data();
        int* const odd = odd_counts_.data();
        std::size_t i = 0;
        for (; i + 1 < batch.size(); i += 2) {
            ++even[owner(batch[i])];
            ++odd[owner(batch[i + 1])];
        }
        if (i < batch.size()) ++even[owner(batch[i])];
        for (std::size_t to = 0; to < odd_counts_.size(); ++to) even[to] += odd[to];
    }

    bulk_counts counts_;
    std::size_t batch_;
    std::vector<int> odd_counts_; // by destination
    std::vector<std::byte> out_;
    std::vector<std::byte> in_;
};

/// The index gather in bulk: requests by MPI_Alltoallv, a lookup each, the replies by MPI_Alltoallv.
class bulk_gather {
public:
    explicit bulk_gather(communicator const& comm, std::size_t batch = 64 * 1024)
        : counts_(comm), batch_(batch) {}

    /// result[i] = element indices[i] of an array of which every rank has 2^`log_part` elements in `part`.
    /// Collective.
    void run(std::span<std::uint64_t const> indices, std::span<std::uint64_t const> part, int log_part,
        std::span<std::uint64_t> result);

private:
    void gather_batch(std::span<std::uint64_t const> indices, std::span<std::uint64_t const> part,
        int log_part, std::uint64_t* result);

    bulk_counts counts_;
    std::size_t batch_;
    std::vector<int> cursors_; // by destination
    std::vector<int> places_;  // of the requests, by index
    std::vector<std::uint64_t> requests_;
    std::vector<std::uint64_t> incoming_; // requests first, then the replies to them
    std::vector<std::uint64_t> replies_;
};

} // namespace weft::limits
