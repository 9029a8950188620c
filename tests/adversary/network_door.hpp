/// A `memory_network`, as seen by one rank. Included by memory_network.hpp.
#pragma once

#include "memory_network.hpp"

namespace weft_test {

class memory_network::door final : public weft::transport {
public:
    door(memory_network& network, int rank) : network_(network), rank_(rank) {}

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return network_.size(); }
    [[nodiscard]] weft::request send(
        int destination, int tag, std::span<std::byte const> bytes, weft::send_mode mode) override {
        return network_.send(rank_, destination, tag, bytes, mode);
    }
    [[nodiscard]] weft::request receive(int source, int tag, std::span<std::byte> room) override {
        return network_.receive(rank_, source, tag, room);
    }
    [[nodiscard]] std::optional<weft::envelope> probe(int source, int tag) override {
        return network_.probe(rank_, source, tag);
    }
    [[nodiscard]] weft::request receive(weft::envelope const& message, std::span<std::byte> room) override {
        return network_.receive_probed(rank_, message, room);
    }
    [[nodiscard]] bool test(weft::request& pending) override {
        bool const is_prepared = pending.slot >= prepared_slots;
        return network_.test(rank_, is_prepared ? prepared_of(pending).under_way : pending);
    }
    [[nodiscard]] weft::request prepare_send(
        int destination, int tag, std::span<std::byte const> bytes) override {
        return prepare({true, destination, tag, bytes, {}});
    }
    [[nodiscard]] weft::request prepare_receive(int source, int tag, std::span<std::byte> room) override {
        return prepare({false, source, tag, {}, room});
    }
    void start(weft::request made) override {
        prepared& what = prepared_of(made);
        if (what.under_way) throw std::logic_error("a start of what is under way");
        what.under_way = what.sends ? send(what.peer, what.tag, what.from, weft::send_mode::standard)
                                    : receive(what.peer, what.tag, what.room);
    }
    void discard(weft::request& made) override {
        if (prepared_of(made).under_way) throw std::logic_error("a discard of what is under way");
        made = {};
    }
    [[nodiscard]] weft::request all_to_all(
        std::span<std::int64_t const> mine, std::span<std::int64_t> theirs) override {
        return network_.enter(rank_, collective::kind::all_to_all, {.words_in = mine, .words_out = theirs});
    }
    [[nodiscard]] weft::request reduce_scatter(
        std::span<std::int64_t const> mine, std::int64_t& sum) override {
        return network_.enter(rank_, collective::kind::reduce_scatter, {.words_in = mine, .sum_out = &sum});
    }
    [[nodiscard]] weft::request all_reduce(
        weft::census_value const& mine, weft::census_value& combined) override {
        return network_.enter(
            rank_, collective::kind::all_reduce, {.value_in = &mine, .value_out = &combined});
    }
    [[nodiscard]] bool open_counters(int) override { return true; }
    [[nodiscard]] weft::request add_remote(int target, int counter, std::int64_t amount) override {
        event wanted{.what = happening::is_added, .source = rank_, .destination = target};
        wanted.added = {counter, amount};
        weft::request const made = network_.requests_.open(rank_, "addition", wanted.applied);
        network_.due_.push_back(wanted);
        return made;
    }
    [[nodiscard]] std::int64_t take_counter(int counter) override {
        auto& counters = network_.state(rank_).counters;
        auto const place = static_cast<std::size_t>(counter);
        return place < counters.size() ? std::exchange(counters[place], 0) : 0;
    }
    [[nodiscard]] weft::shared_memory share(weft::topology const& nodes, std::size_t bytes) override {
        return network_.areas_.share(rank_, nodes, bytes);
    }
    [[nodiscard]] double seconds() const noexcept override {
        return 1e-6 * static_cast<double>(network_.now_);
    }

private:
    /// A persistent transfer; `under_way` is null between its uses.
    struct prepared {
        bool sends = false;
        int peer = 0;
        int tag = 0;
        std::span<std::byte const> from;
        std::span<std::byte> room;
        weft::request under_way = {};
    };
    static constexpr std::int32_t prepared_slots = pending_requests::limit; // above those of other requests

    weft::request prepare(prepared const& what) {
        prepared_.push_back(what);
        return {prepared_slots + static_cast<std::int32_t>(prepared_.size() - 1)};
    }
    prepared& prepared_of(weft::request made) {
        return prepared_.at(static_cast<std::size_t>(made.slot - prepared_slots));
    }

    memory_network& network_;
    int rank_;
    std::vector<prepared> prepared_;
};

inline memory_network::memory_network(int ranks, chooser& choices, adversary manners)
    : choices_(choices),
      manners_(manners),
      rank_(static_cast<std::size_t>(ranks)),
      messages_(ranks),
      collectives_(ranks) {
    for (int r = 0; r < ranks; ++r) state(r).entrance = std::make_unique<door>(*this, r);
}

inline memory_network::~memory_network() = default;

inline weft::transport& memory_network::at(int rank) {
    return *state(rank).entrance;
}

} // namespace weft_test
