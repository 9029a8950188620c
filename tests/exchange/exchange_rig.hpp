/// The ways in which every case of an exchange is run, and how results are compared.
#pragma once

#include <weft/exchange/exchange.hpp>
#include <weft/protocol/collectives.hpp>

#include <harness/mpi_test.hpp>

#include <sched.h>

#include <ostream>
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
        weft::communicator const comm = world().with(with_nodes);
        return reversed ? comm.split(0, -comm.rank()) : comm;
    }
};

inline std::vector<exchange_way> const exchange_ways = [] {
    using weft::settings;
    std::vector<exchange_way> made{
        {"nbx", settings{}},
        {"nbx_plain_probe", settings{.probe = weft::probe_method::plain}},
        {"nbx_collective_census", settings{.census = weft::census_method::collective}},
        {"pex", settings{.exchange = weft::protocol::pex}},
        {"nbx_two_tags", settings{.epoch_window = 2}},
        {"pex_two_tags", settings{.exchange = weft::protocol::pex, .epoch_window = 2}},
    };
    for (std::size_t i = 0; i < 4; ++i) {
        made.push_back(made[i]);
        made.back().name += "_reversed";
        made.back().reversed = true;
    }
    return made;
}();

inline std::string way_name(testing::TestParamInfo<exchange_way> const& info) {
    return info.param.name;
}

class any_exchange : public testing::TestWithParam<exchange_way> {
protected:
    weft::communicator comm = GetParam().make();
    int const rank = comm.rank();
    int const size = comm.size();

    /// Runs `round(exchange)` three times back to back with the blocking call, and three times with a handle.
    template <class Round>
    void in_every_form(Round&& round) {
        for (int i = 0; i < 3; ++i) {
            SCOPED_TRACE("blocking, time " + std::to_string(i));
            round([](auto&& out) { return weft::exchange(std::move(out)); });
        }
        for (int i = 0; i < 3; ++i) {
            SCOPED_TRACE("with a handle, time " + std::to_string(i));
            round([](auto&& out) {
                if constexpr (requires { weft::start_exchange(std::move(out)); }) {
                    auto pending = weft::start_exchange(std::move(out));
                    while (!pending.test()) sched_yield();
                    return std::move(pending).get();
                } else { // encoded items have no handle
                    return weft::exchange(std::move(out));
                }
            });
        }
    }
};

/// Sources and their items, as a test writes them down.
template <class T>
using mail_from = std::vector<std::pair<int, std::vector<T>>>;

template <class T>
mail_from<T> all_of(weft::inbox<T> const& box) {
    mail_from<T> made;
    for (auto const& [source, items] : box)
        made.emplace_back(source, std::vector<T>(items.begin(), items.end()));
    return made;
}

/// Whether `text` is the same on all ranks. Collective.
inline bool same_everywhere(weft::communicator const& comm, std::string const& text) {
    auto const hash = static_cast<std::int64_t>(std::hash<std::string>()(text));
    return weft::max(comm, hash) == weft::min(comm, hash);
}

} // namespace weft_test
