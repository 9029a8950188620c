/// A running random program on one rank: its objects and expectations.
#pragma once

#include "draws.hpp"
#include "model.hpp"
#include "operation.hpp"

#include <weft/core/communicator.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace random_programs {

struct live_mail;
struct live_plan;
struct live_frame;
struct live_blocks;

/// The exception that user code throws on purpose.
class planned_fault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An answer was wrong: ends the job.
class wrong_answer : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A communicator of this rank.
struct live_group {
    weft::communicator comm;
    std::uint64_t name; ///< the same on its ranks, different for other communicators
};

/// An exchange that this rank has begun.
struct open_handle {
    int number;                   ///< of the operation that began it
    int until;                    ///< it is completed before this operation
    std::function<void()> finish; ///< completes or drops it
};

/// The expected failure of an operation.
enum class failure_kind {
    none,
    usage,   ///< `usage_error` on all ranks
    file,    ///< `io_error` on all ranks
    planned, ///< `planned_fault` on the rank, `remote_error` elsewhere
    perhaps, ///< that, or no failure
};

struct ending {
    static constexpr int some_rank = -1; ///< the rank is not known in advance

    failure_kind kind = failure_kind::none;
    int rank = some_rank; ///< the rank that throws the planned fault
};

class session {
public:
    session(weft::communicator world, std::uint64_t salt);
    ~session();
    session(session const&) = delete;
    session& operator=(session const&) = delete;

    void run(operation const& line);
    /// Completes or drops open handles, in an order of this rank's own, and waits for all ranks.
    void finish();

    [[nodiscard]] live_group& group(operation const& line) { return groups.at(line.id("on")); }
    /// Returns the rank that fails, if the line has a fault; else -1.
    [[nodiscard]] static int failing_rank(operation const& line, weft::communicator const& comm) {
        return line.has("fault") ? static_cast<int>(line.value("by") % comm.size()) : -1;
    }
    [[nodiscard]] static bool fails_here(operation const& line, weft::communicator const& comm) {
        return failing_rank(line, comm) == comm.rank();
    }

    /// Runs a collective call, which must have this end on all ranks.
    void expect(operation const& line, weft::communicator const& comm, ending how,
        std::function<void()> const& call) const;
    /// Throws `wrong_answer` if `right` is false.
    void check(bool right, operation const& line, std::string const& what) const;

    model now;
    std::map<int, live_group> groups;
    std::map<int, std::shared_ptr<live_mail>> mailboxes;
    std::map<int, std::shared_ptr<live_plan>> plans;
    std::map<int, std::shared_ptr<live_frame>> frames;
    std::map<int, std::shared_ptr<live_blocks>> block_sets;
    std::vector<open_handle> handles;
    int const rank; ///< in the world

private:
    void finish_handles(int before);

    std::uint64_t salt_;
};

/// Returns the text of a planned fault: it only names the operation, so that a poisoned item can carry it.
[[nodiscard]] std::string poison_text(int operation_number);
[[nodiscard]] inline std::string fault_text(operation const& line) {
    return poison_text(line.number);
}

} // namespace random_programs
