/// The settings in which every case of an exchange is run, and the comparison of results.
#pragma once

#include <harness/protocols.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <sched.h>

#include <map>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft_test {

/// One way: protocol, census, probe and order of ranks.
struct exchange_way {
    std::string name;
    weft::settings chosen;
    bool reversed = false;

    friend std::ostream& operator<<(std::ostream& out, exchange_way const& it) { return out << it.name; }

    [[nodiscard]] weft::communicator make() const {
        weft::settings with_nodes = chosen;
        with_nodes.ranks_per_node = world().settings().ranks_per_node;
        // The plain probe is set if the matched probe of this MPI is broken.
        if (world().settings().probe == weft::probe_method::plain)
            with_nodes.probe = weft::probe_method::plain;
        weft::communicator const comm = world().with(with_nodes);
        return reversed ? comm.split(0, -comm.rank()) : comm;
    }
};

inline std::vector<exchange_way> const exchange_ways = [] {
    using weft::settings;
    std::vector<exchange_way> made{
        {"nbx_plain_probe", settings{.exchange = weft::protocol::nbx, .probe = weft::probe_method::plain}},
        {"nbx_collective_census",
            settings{.exchange = weft::protocol::nbx, .all_reduce = weft::all_reduce_method::collective}},
        {"pcx_reduce_scatter",
            settings{.exchange = weft::protocol::pcx, .all_reduce = weft::all_reduce_method::collective}},
        {"nbx_low_limits",
            settings{.exchange = weft::protocol::nbx, .in_flight_bytes = 100, .header_above = 3}},
    };
    for (weft::protocol const how : every_protocol_and_automatic())
        made.push_back({std::string(weft::name_of(how)), settings{.exchange = how}});
    std::size_t const reversed = made.size();
    for (weft::protocol const how : every_protocol())
        made.push_back(
            {std::string(weft::name_of(how)) + "_two_tags", settings{.exchange = how, .tag_window = 2}});
    for (std::size_t i = 0; i < reversed; ++i) {
        made.push_back(made[i]);
        made.back().name += "_reversed";
        made.back().reversed = true;
    }
    return made;
}();

inline std::vector<exchange_way> const straight_ways = [] {
    auto made = exchange_ways;
    std::erase_if(made, [](exchange_way const& each) { return each.reversed; });
    return made;
}();

inline std::string way_name(testing::TestParamInfo<exchange_way> const& info) {
    return info.param.name;
}

/// The sources and their items, as written in a test.
template <class T>
using mail_from = std::vector<std::pair<int, std::vector<T>>>;

template <class T>
mail_from<T> all_of(weft::inbox<T> const& box) {
    mail_from<T> made;
    for (auto const& [source, items] : box)
        made.emplace_back(source, std::vector<T>(items.begin(), items.end()));
    return made;
}

/// The arguments of a callback, in the form of an inbox.
template <class T>
struct called_box {
    std::map<int, std::vector<T>> received;
    bool twice = false;

    [[nodiscard]] std::size_t size() const { return received.size(); }
    [[nodiscard]] bool empty() const { return received.empty(); }
    [[nodiscard]] auto begin() const { return received.begin(); }
    [[nodiscard]] auto end() const { return received.end(); }
    [[nodiscard]] std::size_t item_count() const {
        std::size_t items = 0;
        for (auto const& [source, list] : received) items += list.size();
        return items;
    }
};

template <class T>
called_box<T> by_callback(weft::outbox<T>&& out) {
    called_box<T> box;
    weft::exchange(std::move(out), [&](int source, std::span<T const> items) {
        box.twice = box.twice || box.received.contains(source);
        box.received[source].assign(items.begin(), items.end());
    });
    EXPECT_FALSE(box.twice) << "two messages of one source";
    return box;
}

template <class T>
mail_from<T> all_of(called_box<T> const& box) {
    return {box.received.begin(), box.received.end()};
}

/// Exchanges in one of three forms, by `number`: blocking, with a handle, with a callback.
template <class T>
mail_from<T> exchange_in_form(int number, weft::outbox<T>&& out) {
    switch (number % 3) {
    case 0:
        return all_of(weft::exchange(std::move(out)));
    case 1: {
        auto pending = weft::start_exchange(std::move(out));
        while (!pending.test()) sched_yield();
        return all_of(std::move(pending).get());
    }
    default:
        return all_of(by_callback(std::move(out)));
    }
}

class any_exchange : public testing::TestWithParam<exchange_way> {
protected:
    weft::communicator comm = GetParam().make();
    int const rank = comm.rank();
    int const size = comm.size();

    /// Runs `round(exchange)` `times` times with the blocking call, then with a handle, and then with the
    /// callback.
    template <class Round>
    void in_every_form(Round&& round, int times = 3) {
        for (int i = 0; i < times; ++i) {
            SCOPED_TRACE("blocking, time " + std::to_string(i));
            round([](auto&& out) { return weft::exchange(std::move(out)); });
        }
        for (int i = 0; i < times; ++i) {
            SCOPED_TRACE("with a handle, time " + std::to_string(i));
            round([](auto&& out) {
                auto pending = weft::start_exchange(std::move(out));
                while (!pending.test()) sched_yield();
                return std::move(pending).get();
            });
        }
        for (int i = 0; i < times; ++i) {
            SCOPED_TRACE("with a callback, time " + std::to_string(i));
            round([](auto&& out) { return by_callback(std::move(out)); });
        }
    }
};

/// Returns true if `text` is the same on all ranks. Collective.
inline bool same_everywhere(weft::communicator const& comm, std::string const& text) {
    auto const hash = static_cast<std::int64_t>(std::hash<std::string>()(text));
    return weft::max(comm, hash) == weft::min(comm, hash);
}

} // namespace weft_test
