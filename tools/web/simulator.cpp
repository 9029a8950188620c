/// The simulator of the documentation's page, compiled to WebAssembly by scripts/docs/simulator: the rank
/// programs of `weft simulate` on a simulated machine, and a record of their messages.
/// docs/_static/simulator.js calls it.
#include "simulate/advection.hpp"
#include "simulate/block_ranks.hpp"
#include "simulate/exchange_program.hpp"
#include "simulate/mail_program.hpp"

#include <transport/deviations.hpp>
#include <transport/simulated_watcher.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft::tool {

namespace {

/// A request of the page, all as doubles; its delays and stops follow.
struct web_request {
    double engine; ///< 0: exchange, 1: mailbox, 2: blocks
    double way;    ///< a `protocol`, a `route`, or 0: exchange, 1: iexchange
    double ranks;
    double ranks_per_node;
    double seed;
    double latency; ///< microseconds, as in a file of a machine model
    double overhead;
    double gap;
    double gap_per_byte;
    double amount; ///< targets of a rank, items of a rank, or voxels along an edge
    double bytes;  ///< of a message
    double delays; ///< how many
    double stops;
};

/// A rank that is kept from working.
struct web_stop {
    double rank;
    double from; ///< seconds
    double until;
};

/// A message in the answer.
struct web_message {
    enum kinds { data, control, asking, answering };
    double kind;
    double source;
    double destination;
    double bytes;
    double leaves; ///< seconds
    double arrives;
    double received;
    double number; ///< by which it can be delayed; -1: cannot
};

/// A time in which a rank was busy, in the answer.
struct web_work {
    double rank;
    double begin;
    double end;
    double is_stop;
};

/// Writes down what happens on a machine.
class web_record final : public simulated_watcher {
public:
    /// `is_control`: tells messages of the library's own from those of the program by their tags. `hears`:
    /// is called before a rank takes a message in, at which the rank may be stopped.
    web_record(std::function<bool(int tag)> is_control, std::function<void(int rank, double at)> hears)
        : is_control_(std::move(is_control)), hears_(std::move(hears)) {}

    void leaves(std::uint32_t number, simulated_message const& message, double at) override {
        under_way_.resize(std::max<std::size_t>(under_way_.size(), number + 1));
        under_way_[number] = messages_.size();
        messages_.push_back({kind_of(message), double(message.source), double(message.destination),
            message.what == simulated_message::kind::asked ? 0.0 : double(message.bytes), at, at, -1,
            double(left_++)});
    }
    void arrives(std::uint32_t number, double at) override {
        web_message& message = messages_[under_way_[number]];
        message.arrives = at;
        hears_(static_cast<int>(message.destination), at);
    }
    void is_received(std::uint32_t number, double at) override {
        messages_[under_way_[number]].received = at;
    }
    void answers(simulated_message const& message, double leaves, double arrives) override {
        messages_.push_back({web_message::answering, double(message.destination), double(message.source), 0,
            leaves, arrives, arrives, -1});
    }
    void works(int rank, double begin, double end) override {
        double const seen = std::max(begin, stopped_from_);
        if (end > seen) works_.push_back({double(rank), seen, end, stopped_from_ >= 0 ? 1.0 : 0.0});
    }

    /// Lets a rank do nothing until the end of the stop.
    void stop(simulated_machine& machine, int rank, web_stop const& what) {
        stopped_from_ = what.from;
        machine.compute(rank, what.until - machine.at(rank).seconds());
        stopped_from_ = -1;
    }
    [[nodiscard]] std::vector<web_message> const& messages() const noexcept { return messages_; }
    [[nodiscard]] std::vector<web_work> const& works() const noexcept { return works_; }

private:
    [[nodiscard]] double kind_of(simulated_message const& message) const {
        switch (message.what) {
        case simulated_message::kind::asked:
            return web_message::asking;
        case simulated_message::kind::addition:
        case simulated_message::kind::collective:
            return web_message::control;
        default:
            return is_control_(message.tag) ? web_message::control : web_message::data;
        }
    }

    std::function<bool(int)> is_control_;
    std::function<void(int, double)> hears_;
    std::vector<std::size_t> under_way_; // places of messages by the numbers that they have
    std::vector<web_message> messages_;
    std::vector<web_work> works_;
    int left_ = 0;
    double stopped_from_ = -1; // negative: the work that is seen is no stop
};

machine_model machine_of(web_request const& asked) {
    constexpr double microseconds = 1e-6;
    machine_model made;
    loggp& network = made.inside.parameters;
    network.latency = microseconds * asked.latency;
    network.overhead = microseconds * asked.overhead;
    network.gap = microseconds * asked.gap;
    network.gap_per_byte = microseconds * asked.gap_per_byte;
    made.inside.synchronous_penalty = network.latency; // the answer is a message
    made.between = made.inside;
    made.simulation.ranks_per_node = static_cast<int>(asked.ranks_per_node);
    return made;
}

topology nodes_of(simulated_machine const& machine) {
    std::vector<int> nodes;
    for (int rank = 0; rank < machine.size(); ++rank) nodes.push_back(machine.node_of(rank));
    return {0, nodes};
}

/// One run; its answer is a list of doubles.
class web_run {
public:
    web_run(web_request const& asked, std::vector<web_stop> stops, deviations* delays)
        : asked_(asked),
          stops_(std::move(stops)),
          machine_(machine_of(asked), static_cast<int>(asked.ranks)),
          nodes_(nodes_of(machine_)),
          record_(
              [this](int tag) { return is_control(tag); }, [this](int rank, double at) { hold(rank, at); }),
          done_at_(static_cast<std::size_t>(asked.ranks)) {
        simulated_watcher::watch(machine_, record_, delays);
        switch (static_cast<int>(asked.engine)) {
        case 0:
            exchange();
            break;
        case 1:
            mail();
            break;
        default:
            blocks();
        }
    }

    [[nodiscard]] std::vector<double> answer() const {
        std::vector<double> said{machine_.seconds(), double(machine_.messages()),
            double(record_.messages().size()), double(record_.works().size())};
        said.insert(said.end(), done_at_.begin(), done_at_.end());
        for (web_message const& each : record_.messages())
            said.insert(said.end(), {each.kind, each.source, each.destination, each.bytes, each.leaves,
                                        each.arrives, std::max(each.received, each.arrives), each.number});
        for (web_work const& each : record_.works())
            said.insert(said.end(), {each.rank, each.begin, each.end, each.is_stop});
        return said;
    }

private:
    /// Stops a rank if one of its stops has begun. Returns true if it did.
    bool hold(int rank, double now) {
        bool held = false;
        for (web_stop const& each : stops_)
            if (each.rank == rank && each.from <= now && machine_.at(rank).seconds() < each.until) {
                record_.stop(machine_, rank, each);
                held = true;
            }
        return held;
    }

    /// Lets a rank work, with the stops that begin meanwhile.
    void work(int rank, double seconds) {
        for (web_stop const& each : stops_) {
            double const now = machine_.at(rank).seconds();
            if (each.rank != rank || each.from < now || each.from >= now + seconds) continue;
            machine_.compute(rank, each.from - now);
            record_.stop(machine_, rank, each);
            seconds -= each.from - now;
        }
        machine_.compute(rank, seconds);
    }

    /// Runs ranks, of which each has a function `step`, with the stops.
    template <class Step>
    void run(Step&& step) {
        machine_.run([&](int rank) {
            if (hold(rank, machine_.at(rank).seconds())) return progress::some;
            progress const result = step(rank);
            if (result == progress::done)
                done_at_[static_cast<std::size_t>(rank)] = machine_.at(rank).seconds();
            return result;
        });
    }

    /// Tags as the programs of `weft simulate` set them.
    [[nodiscard]] bool is_control(int tag) const {
        bool const by_exchange = asked_.engine == 0 || (asked_.engine == 2 && asked_.way == 0);
        if (!by_exchange) return tag == 3;
        bool const counts_apart = asked_.engine == 0 && static_cast<protocol>(asked_.way) == protocol::pcx;
        return tag % 4 == 1 || (counts_apart && tag % 4 == 3);
    }

    void exchange() {
        exchange_traffic const what{static_cast<int>(asked_.amount), static_cast<std::int64_t>(asked_.bytes),
            static_cast<std::int64_t>(asked_.bytes), 1, 0, static_cast<std::uint64_t>(asked_.seed)};
        sparse_exchange_setup setup;
        setup.how = static_cast<protocol>(asked_.way);
        setup.nodes = &nodes_;
        std::vector<exchange_program> programs(static_cast<std::size_t>(machine_.size()));
        run([&](int rank) {
            return programs[static_cast<std::size_t>(rank)].step(machine_, rank, setup, what);
        });
    }

    void mail() {
        auto const items = static_cast<std::int64_t>(asked_.amount);
        mail_stream const what{items, items, 1e-9 * 1, 1e-9 * 1,
            {static_cast<route>(asked_.way), settings().mailbox_bytes, false},
            static_cast<std::uint64_t>(asked_.seed)};
        std::vector<std::unique_ptr<mail_program>> programs;
        for (int rank = 0; rank < machine_.size(); ++rank)
            programs.push_back(std::make_unique<mail_program>(machine_, nodes_, rank, what));
        run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
    }

    void blocks() {
        advection application({.voxels = static_cast<std::int64_t>(asked_.amount),
                                  .seeds_per_voxel = 1,
                                  .step_seconds = 1e-9 * 10},
            machine_.size());
        assignment const where = assignment::contiguous(application.blocks(), machine_.size());
        machine_model const model = machine_of(asked_);
        block_engines const engines;
        block_plan const plan{application, where, nodes_, model, engines,
            [this](int rank, block_id, double seconds) { work(rank, seconds); }};
        std::vector<std::unique_ptr<block_program>> programs;
        for (int rank = 0; rank < machine_.size(); ++rank)
            programs.push_back(
                make_block_program(asked_.way == 0 ? "exchange" : "iexchange", machine_, rank, plan));
        run([&](int rank) { return programs[static_cast<std::size_t>(rank)]->step(); });
    }

    web_request const& asked_;
    std::vector<web_stop> stops_;
    simulated_machine machine_;
    topology nodes_;
    web_record record_;
    std::vector<double> done_at_;
};

std::vector<double> request_list;
std::vector<double> answer_list;

} // namespace

} // namespace weft::tool

using namespace weft::tool;

/// Makes room for the `count` numbers of a request, and returns where the page writes them.
extern "C" double* weft_request(int count) {
    request_list.assign(static_cast<std::size_t>(count), 0);
    return request_list.data();
}

/// Runs the request; returns the length of the answer.
extern "C" int weft_simulate() {
    double const* next = request_list.data();
    auto const take = [&](auto& into) {
        std::copy_n(next, sizeof into / sizeof(double), reinterpret_cast<double*>(&into));
        next += sizeof into / sizeof(double);
    };
    web_request asked;
    take(asked);
    std::vector<weft::deviation> delays(static_cast<std::size_t>(asked.delays));
    for (weft::deviation& each : delays) { // in the order of their numbers
        double delay[2];
        take(delay);
        each = {weft::deviation::kind::delays, static_cast<std::int32_t>(delay[1]),
            static_cast<std::int64_t>(delay[0])};
    }
    std::vector<web_stop> stops(static_cast<std::size_t>(asked.stops));
    for (web_stop& each : stops) take(each);
    std::ranges::sort(stops, {}, &web_stop::from);
    std::optional<weft::deviations> deviates;
    if (!delays.empty()) deviates.emplace(std::move(delays));
    answer_list = web_run(asked, std::move(stops), deviates ? &*deviates : nullptr).answer();
    return static_cast<int>(answer_list.size());
}

/// Returns the answer of the last run: seconds, messages, the numbers of the two lists, the times at which
/// ranks were done, the messages, the work.
extern "C" double const* weft_answer() {
    return answer_list.data();
}
