/// The channel of a counter of k-mers. Private.
#pragma once

#include <weft/containers/kmer_counter.hpp>
#include <weft/detail/containers/keyed_channel.hpp>
#include <weft/detail/core/shared.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/mailbox/channel.hpp>

#include "kmer_bins.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::detail {

/// Sends runs to their owners. Recent runs wait in a cache, where equal ones are added up, so that a sequence
/// repeated on all ranks is little work for its owner.
class kmer_channel final : public mail_channel {
public:
    kmer_channel(mail_engine& mail, shared<kmer_bins> const& bins, int k)
        : mail_(&mail), bins_(bins), k_(k), cutter_(k), cache_(entries) {
        combines = true; // `pass_on` is called only for such channels
        set_type<channel_kind::combining, kmer_run>(*this);
    }
    void set_number(int number) noexcept { key_ = mail_->key_of(number); }

    void insert(std::string_view bases) {
        if (!bins_) container_was_closed();
        if (is_cutting_) { // a handler inserts while an outer call waits for room
            kmer_cutter own(k_);
            cut(own, bases);
            return;
        }
        struct cutting {
            explicit cutting(bool& of) noexcept : is(of) { is = true; }
            cutting(cutting const&) = delete;
            cutting& operator=(cutting const&) = delete;
            ~cutting() { is = false; }
            bool& is;
        } const now(is_cutting_);
        cut(cutter_, bases);
    }
    /// Returns the owner and the bin of a k-mer.
    [[nodiscard]] std::pair<int, std::size_t> place_of(std::string_view kmer) const {
        std::pair<int, std::size_t> place;
        kmer_cutter own(k_);
        own.cut(kmer, [&](std::uint64_t spread, kmer_run const& run) {
            place = {owner_of(spread), run.bin()};
        });
        return place;
    }

    std::int64_t handle(int /*source*/, std::span<std::byte const> run) override {
        if (!bins_) came_for_a_closed_channel();
        std::span const runs(reinterpret_cast<kmer_run const*>(run.data()), run.size() / sizeof(kmer_run));
        bins_->add(runs);
        return static_cast<std::int64_t>(runs.size());
    }
    void handle_long(int, std::span<std::byte const>) override {} // runs have a fixed, short length
    [[nodiscard]] std::int64_t count(std::span<std::byte const> run) const noexcept override {
        return static_cast<std::int64_t>(run.size() / sizeof(kmer_run));
    }
    bool release_held() override {
        if (held_ == 0) return false;
        for (entry& each : cache_) {
            if (each.destination < 0) continue;
            entry const old = std::exchange(each, entry{});
            --held_;
            put(old);
        }
        return true;
    }
    [[nodiscard]] bool holds_any() const noexcept override { return held_ > 0; }
    /// Adds runs to equal ones of the cache; sends the others at once.
    std::size_t pass_on(int destination, std::span<std::byte const> runs) override {
        for (std::size_t done = 0; done < runs.size(); done += sizeof(kmer_run)) {
            kmer_run run;
            std::memcpy(&run, runs.data() + done, sizeof run);
            if (!cache_.empty() && cache_[place_in_cache(run)].adds_up(run, destination)) continue;
            if (mail_->try_room(static_cast<std::size_t>(destination), key_, sizeof run) == nullptr)
                return done;
            put({run, destination});
        }
        return runs.size();
    }
    void close() noexcept override {
        bins_ = {};
        cache_ = {}; // its runs were sent before
    }

private:
    struct entry {
        kmer_run run = {};
        int destination = -1; // -1: the entry is empty

        bool adds_up(kmer_run const& other, int to) noexcept {
            if (!run.is_like(other) || destination != to ||
                run.times() + other.times() > kmer_run::most_times)
                return false;
            run.high += static_cast<std::uint64_t>(other.times()) * kmer_run::once_more;
            return true;
        }
    };
    static constexpr std::size_t entries = 4096;

    [[nodiscard]] static std::size_t place_in_cache(kmer_run const& run) noexcept {
        return ((run.low ^ run.high << 8) * 0x9E3779B97F4A7C15U ^ (run.high << 8) * 0xD6E8FEB86659FD93U) >>
               52;
    }
    [[nodiscard]] int owner_of(std::uint64_t spread) const noexcept {
        return static_cast<int>((spread >> 32) * static_cast<std::uint64_t>(mail_->size()) >> 32);
    }
    void cut(kmer_cutter& by, std::string_view bases) {
        by.cut(bases, [&](std::uint64_t spread, kmer_run const& run) { send({run, owner_of(spread)}); });
    }
    void send(entry const& what) {
        entry& at = cache_[place_in_cache(what.run)];
        if (at.adds_up(what.run, what.destination)) return;
        // The displaced run is sent last: while it waits for room, handlers may use this place.
        entry const old = std::exchange(at, what);
        if (old.destination >= 0)
            put(old);
        else
            ++held_;
    }
    void put(entry const& what) {
        auto const place = static_cast<std::size_t>(what.destination);
        mail_engine::cursor& at = mail_->cursor_with_room(place, key_, sizeof(kmer_run));
        std::memcpy(at.next, &what.run, sizeof(kmer_run));
        at.next += sizeof(kmer_run);
    }

    mail_engine* mail_;
    shared<kmer_bins> bins_; // null once the channel is closed
    int k_;
    bool is_cutting_ = false;
    kmer_cutter cutter_;
    std::uint64_t key_ = 0;
    std::vector<entry> cache_;
    std::int64_t held_ = 0;
};

} // namespace weft::detail
