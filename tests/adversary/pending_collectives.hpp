/// The collectives of a `memory_network`.
#pragma once

#include "pending_requests.hpp"

#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <vector>

namespace weft_test {

/// One collective of all ranks. It completes for each rank separately, after all have entered.
struct collective {
    enum class kind { all_to_all, reduce_scatter, all_reduce };

    /// The input of a rank, and the places for its results.
    struct part {
        std::span<std::int64_t const> words_in = {};
        std::span<std::int64_t> words_out = {};
        std::int64_t* sum_out = nullptr;
        weft::census_value const* value_in = nullptr;
        weft::census_value* value_out = nullptr;
        operation* done = nullptr;
    };

    kind what = kind::all_to_all;
    std::size_t entered = 0;
    std::size_t ended = 0;
    std::vector<part> parts = {};
    std::vector<std::int64_t> words = {}; // of all ranks, read when the last one has entered
    weft::census_value value = weft::census_value::identity();

    void read() {
        for (part const& each : parts) words.insert(words.end(), each.words_in.begin(), each.words_in.end());
        for (part const& each : parts)
            if (each.value_in != nullptr) value = combine(value, *each.value_in);
    }

    void write(std::size_t rank) const {
        part const& to = parts[rank];
        auto const word = [&](std::size_t from) { return words[from * parts.size() + rank]; };
        switch (what) {
        case kind::all_to_all:
            for (std::size_t from = 0; from < parts.size(); ++from) to.words_out[from] = word(from);
            break;
        case kind::reduce_scatter: {
            std::uint64_t sum = 0; // unsigned, since the sums wrap like those of MPI's unsigned words
            for (std::size_t from = 0; from < parts.size(); ++from)
                sum += static_cast<std::uint64_t>(word(from));
            *to.sum_out = static_cast<std::int64_t>(sum);
            break;
        }
        case kind::all_reduce:
            *to.value_out = value;
            break;
        }
    }
};

/// The collectives that some rank has begun and some rank has not completed, in their common order.
class pending_collectives {
public:
    explicit pending_collectives(int ranks) : begun_(static_cast<std::size_t>(ranks), 0) {}

    /// Enters the next collective of this rank.
    [[nodiscard]] collective& enter(int rank, collective::kind what, collective::part const& part) {
        std::size_t const number = begun_[static_cast<std::size_t>(rank)]++ - forgotten_;
        if (number == all_.size()) all_.emplace_back().what = what;
        collective& common = all_[number];
        if (common.what != what) throw std::logic_error("ranks begin different collectives");
        common.parts.resize(begun_.size());
        common.parts[static_cast<std::size_t>(rank)] = part;
        if (++common.entered == begun_.size()) common.read();
        return common;
    }

    void end(collective& common, std::size_t rank) {
        common.write(rank);
        ++common.ended;
        for (; !all_.empty() && all_.front().ended == begun_.size(); ++forgotten_) all_.pop_front();
    }

private:
    std::vector<std::size_t> begun_; // by rank
    std::size_t forgotten_ = 0;      // collectives before the first of all_
    std::deque<collective> all_;     // elements must not move
};

} // namespace weft_test
