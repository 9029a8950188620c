#include "shown_steps.hpp"

#include <core/communicator_state.hpp>
#include <observe/left_ranks.hpp>
#include <transport/simulated_program.hpp>

#include <weft/extend/protocol/engine.hpp>

#include <array>
#include <exception>
#include <memory>

namespace weft {

namespace {

/// Completes when all ranks have entered: a dissemination barrier, in whose rounds a rank receives from a
/// rank at twice the previous distance. Every round has another source, and messages of one source keep their
/// order, so one tag serves successive meetings. The messages have no content, so an incomplete meeting may
/// only be destroyed with its communicator.
class round_of_arrival {
public:
    round_of_arrival(transport& via, int tag) : via_(via), tag_(tag) {}

    [[nodiscard]] progress step() {
        while (true) {
            if (!under_way_) {
                if (distance_ >= via_.size()) return progress::done;
                begin_round();
            }
            bool const has_come = via_.test(arrival_);
            if (!via_.test(departure_) || !has_come) return progress::none;
            under_way_ = false;
            distance_ *= 2;
        }
    }
    void describe_wait(std::string& into) const {
        if (!under_way_) return;
        into += "rank " + std::to_string(rank_behind()) + " to arrive; ";
    }

private:
    [[nodiscard]] int rank_behind() const { return (via_.rank() - distance_ + via_.size()) % via_.size(); }
    void begin_round() {
        arrival_ = via_.receive(rank_behind(), tag_, {});
        departure_ = via_.send((via_.rank() + distance_) % via_.size(), tag_, {}, send_mode::standard);
        under_way_ = true;
    }

    transport& via_;
    int tag_;
    int distance_ = 1;
    bool under_way_ = false;
    request arrival_;
    request departure_;
};

/// Two barriers. During the first one a handler may wait for room, which all other ranks still provide. A
/// rank in the second one lets no handler wait, so when it is complete all ranks have left their handlers and
/// need no more steps.
class meeting final : public engine {
public:
    meeting(communicator const& comm, int tag)
        : others_(context_of(comm).others),
          all_here_(context_of(comm).via, tag),
          all_ready_(context_of(comm).via, tag) {}
    ~meeting() override {
        if (holds_handlers_) others_.let_handlers_wait();
    }

    [[nodiscard]] progress step() override {
        if (!holds_handlers_) {
            if (progress const now = all_here_.step(); now != progress::done) return now;
            others_.forbid_handlers_to_wait();
            holds_handlers_ = true;
        }
        return all_ready_.step();
    }
    void describe_wait(std::string& into) const override {
        holds_handlers_ ? all_ready_.describe_wait(into) : all_here_.describe_wait(into);
    }

private:
    open_operations& others_;
    round_of_arrival all_here_;
    round_of_arrival all_ready_;
    bool holds_handlers_ = false;
};

bool is_late(std::optional<std::chrono::seconds> patience, std::chrono::steady_clock::time_point since) {
    return patience && std::chrono::steady_clock::now() - since > *patience;
}

} // namespace

void door::meet(communicator const& comm, char const* operation) {
    if (comm.size() == 1) return;
    // If censuses use MPI's collectives, each rank starts them at its own time. MPI requires all collectives
    // in one order, so a census under way must be complete on all ranks before they block.
    if (comm.settings().all_reduce == all_reduce_method::collective) make_room_for_operation(comm);
    meeting all(comm, door_tag);
    complete(comm, all, operation);
}

void door::step_until(
    std::vector<communicator> const& roots, std::function<bool()> const& arrived, char const* operation) {
    expect_no_lone_failure();
    std::vector<std::unique_ptr<operation_scope>> scopes;
    for (communicator const& root : roots)
        scopes.push_back(std::make_unique<operation_scope>(context_of(root), operation));
    constexpr int spin_polls = 1000;
    drive(backoff(roots.empty() ? spin_polls : roots.front().settings().spin_polls), [&] {
        if (arrived()) return progress::done;
        progress result = progress::none;
        for (communicator const& root : roots)
            if (context_of(root).others.step_here() == progress::some) result = progress::some;
        return result;
    });
}

namespace {

/// Keeps memory that MPI may still access beyond the process's use of it. Operations and their root own each
/// other, so this list holds them, where a leak detector finds them.
void keep_for_ever(std::vector<communicator> const& roots) {
    static auto* const kept = new std::vector<communicator>;
    kept->insert(kept->end(), roots.begin(), roots.end());
}

} // namespace

void door::fail_alone(char const* operation) noexcept {
    weft::fail_alone(std::current_exception(), operation);
}

std::string door::lone_failure_text() {
    return weft::lone_failure_text();
}

void door::finish(communicator const& root) {
    operation_context& context = context_of(root);
    meeting all(root, leaving_tag);
    shown_operation const shows(context.here, leaving_operation);
    operation_scope const scope(context, leaving_operation);
    drive(backoff(context.spin_polls), [&] {
        progress const open = context.others.step_here();
        progress const meets = all.step();
        if (meets != progress::done) return open == progress::some ? open : meets;
        if (open == progress::some) return open;
        if (!context.others.has_abandoned()) return progress::done;
        return simulated_program::running()->sleep_unless_all_wait() ? progress::some : progress::done;
    });
}

bool door::leave(process_roots const& process, std::optional<std::chrono::seconds> patience) {
    std::vector<communicator> const roots = process.all();
    if (roots.empty()) return !lone_failure(); // the failure may have occurred while the first root was made
    if (lone_failure() && !patience) patience = patience_with_others;
    // Some ranks may have dropped these, so they cannot meet; but other ranks may wait for the dropped ones.
    std::vector<communicator> stepped = process.without_parent();
    stepped.insert(stepped.end(), roots.begin(), roots.end());
    // A dropped operation that no rank waits for ends soon; if not, MPI keeps its memory.
    constexpr std::chrono::seconds patience_for_dropped(1);
    std::vector<std::unique_ptr<meeting>> meetings;
    for (communicator const& root : roots) meetings.push_back(std::make_unique<meeting>(root, leaving_tag));
    operation_context& context = context_of(roots.front());
    shown_operation const shows(context.here, leaving_operation);
    operation_scope const scope(context, leaving_operation);
    shown_steps watch(context);
    left_ranks others;
    bool all_arrived = false;
    auto since = std::chrono::steady_clock::now();
    drive(backoff(context.spin_polls), [&] {
        progress result = progress::none;
        bool arrived = true;
        bool dropped = false;
        for (communicator const& root : stepped) {
            open_operations& open = context_of(root).others;
            if (open.step_here() == progress::some) result = progress::some;
            dropped = dropped || open.has_abandoned();
        }
        for (auto const& each : meetings)
            if (each->step() != progress::done) arrived = false;
        if (arrived && !all_arrived) {
            all_arrived = true;
            since = std::chrono::steady_clock::now();
        }
        if (result == progress::some) since = std::chrono::steady_clock::now();
        bool const gives_up = is_late(all_arrived ? patience_for_dropped : patience, since);
        if (gives_up && dropped) keep_for_ever(stepped);
        if ((all_arrived && !dropped) || gives_up) return progress::done;
        result == progress::none ? watch.got_nowhere(meetings.front().get()) : watch.got_on();
        if (std::string const stuck = all_arrived || patience ? std::string() : others.look(); !stuck.empty())
            end_job(stuck);
        return result;
    });
    return all_arrived;
}

} // namespace weft
