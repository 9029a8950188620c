#include "simulated_program.hpp"

#include "simulated_groups.hpp"

#include <core/communicator_state.hpp>
#include <machine/machine_of_rank_0.hpp>
#include <observe/call_sites.hpp>

#include <weft/core/error.hpp>
#include <weft/core/run.hpp>
#include <weft/extend/observe/activity.hpp>
#include <weft/observe/timeline.hpp>

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t most_segments = 20'000; // in a lane; beyond it, segments are merged

thread_local constinit simulated_program* program_here = nullptr;

double thread_seconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns the seconds that `thread_seconds` takes, which is a call of the system.
double seconds_of_reading() noexcept {
    constexpr int times = 100;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < times; ++i) {
        double const start = thread_seconds();
        least = std::min(least, thread_seconds() - start);
    }
    return least;
}

} // namespace

thread_local constinit int mail_handlers_here = 0;
constinit std::atomic<bool> some_rank_has_failed_alone = false;

lone_failure_state& lone_failure_here() noexcept {
    static lone_failure_state of_process;
    simulated_program* const program = simulated_program::running();
    return program != nullptr ? program->lone_failure() : of_process;
}

bool is_simulated_rank() noexcept {
    return simulated_program::running() != nullptr;
}

void advance(double seconds) {
    if (!(seconds >= 0))
        throw usage_error("advance: " + std::to_string(seconds) + " seconds; at least 0 are needed");
    if (simulated_program* const program = simulated_program::running()) program->advance(seconds);
}

simulated_program::simulated_program(simulation_options const& options, settings const& chosen)
    : options_(options),
      chosen_(chosen),
      machine_(options.machine, options.ranks),
      model_(std::make_shared<agreed_machine>(agreed_machine{options.machine, {}, {}})),
      stacks_(static_cast<std::size_t>(options.ranks), options.stack_bytes),
      ranks_(static_cast<std::size_t>(options.ranks)) {
    machine_.set_looker(this);
    if (options.compute > 0) reading_ = seconds_of_reading();
}

simulated_program* simulated_program::running() noexcept {
    return program_here;
}

bool simulated_program::run(std::function<int(communicator const&)> const& body) {
    std::shared_ptr<simulated_group> const all = all_simulated_ranks(*this);
    for (int each = 0; each < machine_.size(); ++each) {
        one_rank& made = ranks_[static_cast<std::size_t>(each)];
        made.runs.emplace(stacks_.at(static_cast<std::size_t>(each)), [this, each, &all, &body] {
            one_rank& mine = ranks_[static_cast<std::size_t>(each)];
            try {
                mine.world = make_simulated_root(member_of(all, each), chosen_, model_);
                timeline& recorded = timeline_of(*mine.world);
                recorded.follow(&machine_.rank(each).clock);
                if (has_lane(each)) recorded.start(most_segments);
                live(each, body);
            } catch (...) { mine.thrown = std::current_exception(); }
        });
    }
    auto const step = [this](int rank) { return resume(rank); };
    try {
        machine_.run(
            [](void* body_of_run, int rank) { return (*static_cast<decltype(step)*>(body_of_run))(rank); },
            const_cast<void*>(static_cast<void const*>(&step)), nullptr);
    } catch (std::runtime_error const&) {
        return false; // ranks wait for messages that never arrive
    }
    return true;
}

/// Lanes are for evenly spaced ranks, including the first.
bool simulated_program::has_lane(int rank) const {
    if (options_.timeline.empty()) return false;
    auto const lanes = std::min<std::int64_t>(options_.lanes, machine_.size());
    return rank * lanes / machine_.size() != (rank - 1) * lanes / machine_.size() || rank == 0;
}

void simulated_program::keep_lane(int rank, timeline& recorded) {
    if (!has_lane(rank) || !recorded.on()) return;
    recorded.stop();
    lane made{rank, {recorded.segments().begin(), recorded.segments().end()}, recorded.ended()};
    lanes_.insert(std::ranges::upper_bound(lanes_, rank, {}, &lane::rank), std::move(made));
}

/// Runs the program of a rank.
void simulated_program::live(int rank, std::function<int(communicator const&)> const& body) noexcept {
    one_rank& mine = ranks_[static_cast<std::size_t>(rank)];
    try {
        mine.code = body(*mine.world);
    } catch (...) { mine.thrown = std::current_exception(); }
    mine.has_ended = true;
    try {
        door::finish(*mine.world); // others may need operations that are open here
        keep_lane(rank, timeline_of(*mine.world));
        mine.world.reset();
    } catch (...) {
        if (!mine.thrown) mine.thrown = std::current_exception();
    }
}

simulated_program::outcome simulated_program::outcome_of(int rank) const {
    one_rank const& of = ranks_[static_cast<std::size_t>(rank)];
    outcome found{of.thrown, of.code, of.has_ended, {}};
    if (!found.has_ended && of.world) found.operation = activity_of(*of.world).current();
    if (of.failed.thrown) found.failed_alone = of.failed.operation + (": " + text_of(of.failed.thrown));
    return found;
}

progress simulated_program::resume(int rank) {
    if (machine_.messages() > most_.messages)
        beyond_("has sent " + std::to_string(most_.messages) + " messages and goes on");
    if (deviates_ != nullptr) {
        if (parked_ >= 0 && machine_.is_over(parked_since_)) end_parking();
        if (rank == parked_) return progress::none;
        if (parked_ < 0 && deviates_->at(deviation::kind::parks, turns_)) {
            ++turns_;
            parked_ = rank;
            parked_since_ = machine_.injected();
            return progress::none;
        }
        if (auto const amount = deviates_->at(deviation::kind::slows, turns_++)) {
            machine_.rank(rank).clock =
                machine_.now() + (*amount + 1) * model_->model.between.parameters.latency;
            return progress::some;
        }
    }
    now_ = &ranks_[static_cast<std::size_t>(rank)];
    now_number_ = rank;
    program_here = this;
    std::swap(mail_handlers_here, now_->handlers);
    if (options_.compute > 0) charged_at_ = thread_seconds();
    now_->runs->resume();
    if (options_.compute > 0) charge(rank);
    std::swap(mail_handlers_here, now_->handlers);
    program_here = nullptr;
    return now_->runs->is_over() ? progress::done : now_->result;
}

void simulated_program::suspend(progress why) {
    now_->result = why;
    now_->runs->suspend();
}

void simulated_program::sleep() {
    // A loop of the program polls with nonblocking calls: it may continue on its own.
    if (std::string_view(activity_of(*now_->world).current()) == activity().current()) {
        (void)sleep_unless_all_wait();
        return;
    }
    sleep_now();
}

void simulated_program::sleep_now() {
    now_->fruitless_looks = 0;
    bool const acted = std::exchange(now_->has_acted, false) || machine_.rank(now_number_).acted;
    suspend(acted ? progress::some : progress::none);
}

bool simulated_program::sleep_unless_all_wait() {
    now_->told_of_quiet = false;
    now_->waits_for_quiet = true;
    sleep_now();
    now_->waits_for_quiet = false;
    return !now_->told_of_quiet;
}

void simulated_program::tell_of_loss(std::string const& what) {
    if (loss_.empty()) loss_ = "rank " + std::to_string(now_number_) + " " + what;
}

void simulated_program::tell_of_items(std::int64_t sent, std::int64_t handled) {
    items_sent_ += sent;
    items_handled_ += handled;
    now_->items_sent += sent;
    now_->items_handled += handled;
    if (sent > 0) machine_.goes_on();
    if (items_sent_ <= most_.items || sent == 0) return;
    if (now_->items_sent < std::ranges::max_element(ranks_, {}, &one_rank::items_sent)->items_sent) return;
    beyond_("sends without bound: " + std::to_string(items_sent_) +
            " messages of channels and blocks so far, " + std::to_string(now_->items_sent) +
            " of them by rank " + std::to_string(now_number_) + ", which is in " + place_of_rank() +
            "; not yet handled: " + std::to_string(items_sent_ - items_handled_));
}

std::string simulated_program::place_of_rank() const {
    std::array<void*, 64> frames;
    int const count = backtrace(frames.data(), static_cast<int>(frames.size()));
    stack_of_process stack{getpid(), {}};
    for (int i = 0; i < count; ++i)
        stack.frames.push_back(reinterpret_cast<std::uint64_t>(frames[static_cast<std::size_t>(i)]));
    std::string const place = places_of({stack}).front();
    return activity_of(*now_->world).current() + (place.empty() ? place : " at " + place);
}

void simulated_program::advance(double seconds) {
    simulated_rank& mine = machine_.rank(now_number_);
    mine.clock = std::max(mine.clock, machine_.now()) + seconds;
    mine.computed += seconds;
}

void simulated_program::charge(int rank) {
    double const now = thread_seconds();
    simulated_rank& mine = machine_.rank(rank);
    double const seconds = std::max(now - charged_at_ - reading_, 0.0) * options_.compute;
    charged_at_ = now;
    mine.clock = std::max(mine.clock, machine_.now()) + seconds;
    mine.computed += seconds;
}

void simulated_program::before_send(int rank) {
    if (options_.compute > 0 && program_here == this) charge(rank);
}

/// The time that the simulation itself took is no work of the rank.
void simulated_program::after_call() {
    if (options_.compute > 0 && program_here == this) charged_at_ = thread_seconds();
}

/// A rank sees messages when its clock has reached their arrival. A rank that polls in a loop of its own sees
/// no new messages until other ranks have run.
void simulated_program::before_look(int rank) {
    constexpr int most_fruitless_looks = 1000;
    if (program_here != this) return; // called by an operation that outlives the run
    before_send(rank);
    simulated_rank& mine = machine_.rank(rank);
    if (std::exchange(mine.acted, false)) {
        now_->has_acted = true;
        now_->fruitless_looks = 0;
    }
    if (mine.clock > machine_.now()) {
        std::uint64_t const told = mine.told;
        suspend(progress::some);
        // The rank may have looked for it before it came, so it must not sleep until it has looked again.
        if (mine.told != told) now_->has_acted = true;
    } else if (++now_->fruitless_looks > most_fruitless_looks) {
        (void)sleep_unless_all_wait();
    }
}

void simulated_program::end_parking() {
    machine_.wake_after(std::exchange(parked_, -1), 0);
}

std::uint64_t simulated_program::seen_beside(int receiver) const {
    std::uint64_t seen = 0;
    for (std::size_t each = 0; each < ranks_.size(); ++each) {
        one_rank const& of = ranks_[each];
        // Programs that have ended have no activity any more.
        seen += of.has_ended || !of.world ? std::uint64_t{1} << 40 : activity_of(*of.world).entries();
        if (static_cast<int>(each) != receiver) seen += static_cast<std::uint64_t>(of.items_handled);
    }
    return seen;
}

/// Wakes ranks that poll in loops of their own: they may change their behaviour after many polls.
bool simulated_program::nothing_comes() {
    constexpr int most_quiet_rounds = 1000;
    if (parked_ >= 0) {
        end_parking();
        return true;
    }
    if (std::ranges::none_of(ranks_, &one_rank::waits_for_quiet)) return false;
    quiet_rounds_ =
        std::exchange(messages_at_quiet_, machine_.messages()) == machine_.messages() ? quiet_rounds_ + 1 : 0;
    if (quiet_rounds_ > most_quiet_rounds) return false;
    for (std::size_t each = 0; each < ranks_.size(); ++each) {
        if (!ranks_[each].waits_for_quiet) continue;
        ranks_[each].told_of_quiet = true;
        machine_.wake_after(static_cast<int>(each), 0);
    }
    return true;
}

} // namespace weft
