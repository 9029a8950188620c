/// Schedules of reductions: the groups of participants, round by round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

struct machine_model; // weft/machine/machine_model.hpp

/// The value of `round_group::keeper` if each member of a group keeps a share of the combined data.
inline constexpr int each_keeps_a_share = -1;

/// A group of participants that combine their data in one round of a reduction.
struct round_group {
    std::vector<std::int64_t> members = {}; ///< The members, in the order in which their data are combined.
    /// the member that keeps all combined data, or `each_keeps_a_share`
    int keeper = 0;
};

/// Returns the groups of participants that combine their data, for each round of a reduction. Participants
/// are ranks or blocks, numbered from 0. The groups of a round do not overlap: `group_of` returns the same
/// group for all its members. A participant that has passed its data to another participant gets an empty
/// group in all later rounds. All ranks must have equal schedules. An application may derive a schedule of
/// its own.
class schedule {
public:
    schedule() = default;
    schedule(schedule const&) = default;
    schedule& operator=(schedule const&) = default;
    virtual ~schedule() = default;

    /// Returns the number of participants.
    [[nodiscard]] virtual std::int64_t participants() const noexcept = 0;
    [[nodiscard]] virtual int rounds() const noexcept = 0; ///< Returns the number of rounds.
    /// Returns the group of a participant in a round. Local, O(members).
    [[nodiscard]] virtual round_group group_of(int round, std::int64_t participant) const = 0;
};

/// The choice of participants for one group.
enum class grouping : std::uint8_t {
    /// The data that a group combines come from consecutive participants, and are combined in the order of
    /// the participants.
    contiguous,
    /// Groups have participants far apart in the first round, and closer ones in each later round; only for
    /// operators that commute.
    strided,
};

/// Options of `merge_schedule` and `swap_schedule`.
struct schedule_options {
    grouping groups = grouping::contiguous; ///< The choice of participants for each group.
    std::int64_t root = 0;                  ///< the participant that has the result at the end of a merge
};

/// A schedule in which each group of a round has k participants. If the participants' numbers are written
/// with a digit of base k for each round, the numbers of a group differ in one digit. `merge_schedule` and
/// `swap_schedule` make regular schedules.
class regular_schedule final : public schedule {
public:
    [[nodiscard]] std::int64_t participants() const noexcept override { return participants_; }
    [[nodiscard]] int rounds() const noexcept override { return static_cast<int>(rounds_.size()); }
    [[nodiscard]] round_group group_of(int round, std::int64_t participant) const override;

    /// Returns the size of the largest group of a round.
    [[nodiscard]] std::int64_t k(int round) const { return rounds_.at(static_cast<std::size_t>(round)).k; }

private:
    friend regular_schedule merge_schedule(
        std::int64_t participants, std::span<int const> k, schedule_options const& options);
    friend regular_schedule swap_schedule(
        std::int64_t participants, std::span<int const> k, schedule_options const& options);

    struct digit {
        std::int64_t k = 1;
        std::int64_t stride = 1;
        [[nodiscard]] std::int64_t of(std::int64_t participant) const noexcept {
            return participant / stride % k;
        }
    };

    regular_schedule(std::int64_t participants, std::span<int const> k, schedule_options const& options,
        bool shares, char const* name);
    /// Returns the number with the digits of the rounds before `round` set to 0.
    [[nodiscard]] std::int64_t subtree(int round, std::int64_t participant) const noexcept;

    std::int64_t participants_;
    std::int64_t root_;
    bool shares_;
    std::vector<digit> rounds_;
};

/// Makes the schedule of a merge: in each round one member of a group keeps the combined data; at the end the
/// root has all data. `k` has the size of groups for each round. The last group of a round may have fewer
/// than k members if groups are contiguous. If `k` has fewer rounds than a full reduction needs, the
/// reduction is partial: each member that keeps data in the last round has a result. Local. Throws:
/// `usage_error` for a k below 2, an invalid root, and strided groups whose sizes do not divide the number of
/// participants. Source: Peterka, Ross, EuroMPI 2012, section 3.1.
[[nodiscard]] regular_schedule merge_schedule(
    std::int64_t participants, std::span<int const> k, schedule_options const& options = {});
/// Makes the schedule of a merge with groups of k participants in each round, until one participant has all
/// data.
[[nodiscard]] regular_schedule merge_schedule(
    std::int64_t participants, int k, schedule_options const& options = {});

/// Makes the schedule of a swap: in each round every member of a group keeps a share of the group's combined
/// data. If `k` has fewer rounds than a full reduction needs, the reduction is partial. Local. Throws:
/// `usage_error` for a k below 2, and sizes of groups whose product does not divide the number of
/// participants. Source: Peterka, Ross, EuroMPI 2012, section 3.2 (radix-k).
[[nodiscard]] regular_schedule swap_schedule(
    std::int64_t participants, std::span<int const> k, schedule_options const& options = {});
/// Makes the schedule of a swap whose groups have the sizes of `group_sizes(participants, k)`.
[[nodiscard]] regular_schedule swap_schedule(
    std::int64_t participants, int k, schedule_options const& options = {});

/// Returns sizes of groups whose product is the number of participants. Each size is at most k, except for
/// prime factors above k. Local, O(sqrt(participants)). Throws: `usage_error` for a k below 2 or 0
/// participants.
[[nodiscard]] std::vector<int> group_sizes(std::int64_t participants, int k);
/// Returns sizes of groups for participants in a grid that are numbered with the first dimension running
/// fastest. Each group lies along one dimension of the grid: in the first rounds the first dimension, then
/// the next. `divisions`: the number of participants along each dimension, as `regular_grid::divisions`
/// returns them.
[[nodiscard]] std::vector<int> group_sizes(std::span<std::int64_t const> divisions, int k);

/// Returns the k (2, 4, 8 or 16) for which the LogGP model predicts the least time of a merge of `bytes`
/// bytes per participant, without the time of the operator. Local.
[[nodiscard]] int merge_k(machine_model const& machine, std::int64_t participants, double bytes);
/// Returns the k (2, 4, 8 or 16) for which the LogGP model predicts the least time of a swap, as `merge_k`
/// for a merge. Local.
[[nodiscard]] int swap_k(machine_model const& machine, std::int64_t participants, double bytes);

} // namespace weft
