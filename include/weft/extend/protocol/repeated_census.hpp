/// Repeated censuses of the same ranks: through shared memory inside nodes, by messages between them.
#pragma once

#include <weft/core/topology.hpp>
#include <weft/extend/protocol/census.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// One rank's part in a sequence of censuses; the next may be entered when one is done. No rank gets a result
/// before all have entered. Only the first `sums` sums, the first `maxima` maxima and the flags of a value
/// are sent: with the number of the census, they fill a cache line.
///
/// With shared memory every rank writes its value into its own cache line. On a single small node all ranks
/// read all lines, at the cost of one transfer of a line. Otherwise the first core of each node combines
/// them, the first cores take part in a census by messages, and their node reads the result. Two sets of
/// lines suffice: a rank enters census k + 1 only when all have entered k, so when all have read k - 1.
/// Without shared memory all ranks take part in the census by messages.
class repeated_census final : public engine {
public:
    /// The bytes of shared memory that each rank needs, which must be 0 at first.
    static constexpr std::size_t shared_bytes = 256;
    static constexpr std::size_t sums = 2;   ///< The number of sums.
    static constexpr std::size_t maxima = 4; ///< The number of maxima.

    /// `lines`: the `shared_bytes` of each core of this node, or nothing. `nodes` must live as long.
    repeated_census(
        transport& via, topology const& nodes, int control_tag, std::span<std::byte* const> lines);

    /// Enters the next census with this rank's contribution.
    void enter(census_value const& mine);
    /// Returns true between `enter` and the result.
    [[nodiscard]] bool entered() const noexcept { return entered_; }
    /// Returns true if no request is open, so that it may be destroyed.
    [[nodiscard]] bool at_rest() const noexcept { return !between_; }
    /// Calls `census::let_go` of the census in progress.
    [[nodiscard]] bool let_go() { return !between_ || between_->let_go(); }
    /// Makes progress. Returns done once after each `enter`.
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    /// As `mail_engine::prefetch`, with stages 0 and 1.
    void prefetch(int stage) const noexcept {
        if (stage == 0) detail::prefetch(&between_, sizeof between_);
        if (stage == 1 && between_) between_->prefetch();
    }
    /// Returns the result of the last census.
    [[nodiscard]] census_value const& result() const noexcept { return result_; }
    /// Returns the number of completed censuses.
    [[nodiscard]] std::int64_t count() const noexcept { return count_; }
    /// Returns the number of messages that this rank has sent for all censuses.
    [[nodiscard]] std::int64_t messages() const noexcept { return messages_; }

private:
    struct alignas(64) line {
        std::uint64_t number; // of the census, counted from 1; written last
        std::int64_t sum[sums];
        std::int64_t max[maxima];
        std::uint64_t any;
    };
    struct part {
        line own[2];
        line of_node[2]; // of the first core: the result
    };
    static_assert(sizeof(part) == shared_bytes);

    [[nodiscard]] static bool has_come(line& from, std::uint64_t number) noexcept;
    static void write(line& into, std::uint64_t number, census_value const& value) noexcept;
    void begin_result() noexcept;
    void add_to_result(line const& from) noexcept;
    void tell_all();
    [[nodiscard]] bool collect();
    [[nodiscard]] progress step_between();
    progress finish() noexcept;

    transport& via_;
    topology const& nodes_;
    int tag_;
    std::vector<part*> parts_; // by core of this node; empty without shared memory
    std::size_t core_;
    bool all_read_all_;
    std::vector<int> leaders_;
    int leader_place_ = 0;
    bool entered_ = false;
    std::size_t collected_ = 0;                      // cores whose values are in the result
    census_value result_ = census_value::identity(); // what does not travel stays so
    std::optional<census> between_;
    std::int64_t count_ = 0;
    std::int64_t messages_ = 0;
};

} // namespace weft
