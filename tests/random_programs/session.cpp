#include "session.hpp"

#include "live_blocks.hpp"
#include "live_frame.hpp"
#include "live_mail.hpp"
#include "live_plan.hpp"
#include "verb.hpp"

#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>

namespace random_programs {

session::session(weft::communicator world, std::uint64_t salt) : rank(world.rank()), salt_(salt) {
    now.ranks = world.size();
    groups.emplace(0, live_group{std::move(world), 1});
}

session::~session() = default;

void session::run(operation const& line) {
    finish_handles(line.number);
    if (!now.has_all_of(line)) return; // what it is about was left out of the program
    verb const& kind = verb_of(line.verb);
    kind.run(*this, line);
    if (kind.apply != nullptr) kind.apply(now, line);
}

void session::finish() {
    finish_handles(INT32_MAX);
    // Ranks that wait for others to handle their messages need these to be in a call that does.
    (void)weft::sum(groups.at(0).comm, 1);
}

void session::finish_handles(int before) {
    std::vector<open_handle> due;
    for (auto at = handles.begin(); at != handles.end();) {
        if (at->until <= before) {
            due.push_back(std::move(*at));
            at = handles.erase(at);
        } else {
            ++at;
        }
    }
    std::sort(due.begin(), due.end(), [&](open_handle const& a, open_handle const& b) {
        auto const place = [&](open_handle const& of) {
            return mixed({salt_, static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(of.number)});
        };
        return place(a) < place(b);
    });
    for (open_handle& each : due) each.finish();
}

void session::expect(operation const& line, weft::communicator const& comm, ending how,
    std::function<void()> const& call) const {
    bool const planned = how.kind == failure_kind::planned || how.kind == failure_kind::perhaps;
    std::string got = "no error";
    try {
        call();
        if (how.kind == failure_kind::none || how.kind == failure_kind::perhaps) return;
    } catch (wrong_answer const&) { throw; } catch (planned_fault const& thrown) {
        got = "the planned fault " + std::string(thrown.what());
        if (planned && (how.rank == comm.rank() || how.rank == ending::some_rank) &&
            thrown.what() == fault_text(line))
            return;
    } catch (weft::remote_error const& thrown) {
        got = "a remote_error of rank " + std::to_string(thrown.rank()) + ": " + thrown.what();
        if (planned && how.rank != comm.rank() && thrown.rank() != comm.rank() &&
            (how.rank == thrown.rank() || how.rank == ending::some_rank) &&
            std::string(thrown.what()).find(fault_text(line)) != std::string::npos)
            return;
    } catch (weft::usage_error const& thrown) {
        got = "a usage_error: " + std::string(thrown.what());
        if (how.kind == failure_kind::usage) return;
    } catch (weft::io_error const& thrown) {
        got = "an io_error: " + std::string(thrown.what());
        if (how.kind == failure_kind::file) return;
    } catch (std::exception const& thrown) { got = "an exception: " + std::string(thrown.what()); }
    check(false, line, "ended with " + got);
}

void session::check(bool right, operation const& line, std::string const& what) const {
    if (!right) throw wrong_answer("operation " + text_of(line) + ": " + what);
}

std::string poison_text(int operation_number) {
    return "the fault of operation " + std::to_string(operation_number) + ", on purpose";
}

} // namespace random_programs
