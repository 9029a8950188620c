/// How neighbours in a plan learn that a rank cannot take part in a run. Private.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/transport.hpp>

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The troubles that other ranks have told this one, of both directions of a plan and of any run.
///
/// Invariant: who fails in a run says so by a synchronous message, and sends items of no meaning only when it
/// is complete. So a rank that has received all items of a run has begun to receive all that is wrong with
/// it, as long as he looks while he waits; a run that goes well costs nothing for this.
class plan_troubles {
public:
    struct head {
        std::int64_t run;
        std::int32_t direction;
        error_kind kind; ///< then the text
    };

    explicit plan_troubles(int tag) : tag_(tag) {}
    plan_troubles(plan_troubles const&) = delete;
    plan_troubles& operator=(plan_troubles const&) = delete;

    /// Receives what has arrived.
    progress step(transport& via);
    [[nodiscard]] bool at_rest() const noexcept { return pending_ == 0; }
    /// Throws what the lowest rank has told about a run, and forgets the run. After its items are here, and
    /// at rest.
    void rethrow(int direction, std::int64_t run) {
        if (!told_.empty()) [[unlikely]]
            throw_of(direction, run);
    }
    [[nodiscard]] int tag() const noexcept { return tag_; }

private:
    struct notice {
        int source;
        request receive;
        buffer bytes;
        bool here = false;

        [[nodiscard]] plan_troubles::head head() const noexcept;
    };

    void throw_of(int direction, std::int64_t run);

    int tag_;
    std::vector<notice> told_;
    std::size_t pending_ = 0;
};

/// A direction of a plan. Neighbours count its runs alike.
struct plan_way {
    int tag;
    int direction;
    plan_troubles& troubles;
    std::int64_t runs = 0; ///< begun
};

/// Waits until all requests of a run are complete.
class plan_wait final : public engine {
public:
    /// `complete`: how many of them are; `fruitless`: steps that did not get on.
    plan_wait(
        transport& via, plan_way& way, std::vector<request>& pending, std::size_t& complete, int& fruitless)
        : via_(via), way_(way), pending_(pending), complete_(complete), fruitless_(fruitless) {}
    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;

private:
    static constexpr int polls_between_looks = 16; // a look takes as long as several polls

    transport& via_;
    plan_way& way_;
    std::vector<request>& pending_;
    std::size_t& complete_;
    int& fruitless_;
};

/// The ranks that send to this one in a run, and those that it sends to.
struct plan_sides {
    std::span<int const> sources;
    std::span<int const> destinations;
};

/// The part in a run of a rank that cannot take part: tells the ranks that it would send to, sends them an
/// empty message in place of items, and receives and drops what is sent to it, so that the next run finds
/// nothing of this one. Needs memory only for what has come.
class plan_refusal final : public engine {
public:
    plan_refusal(transport& via, plan_way& way, plan_sides const& sides, std::exception_ptr why);

    [[nodiscard]] progress step() override;
    void describe_wait(std::string& into) const override;
    [[nodiscard]] std::exception_ptr why() const noexcept { return why_; }

private:
    struct destination {
        int rank;
        request pending; // what tells it, then the empty message
        bool told = false;
    };
    struct source {
        int rank;
        bool found = false;
        request pending = {};
        buffer room = {}; // for what is dropped
    };

    [[nodiscard]] progress receive();

    transport& via_;
    plan_way& way_;
    std::exception_ptr why_;
    buffer notice_;
    std::vector<source> sources_;
    std::vector<destination> destinations_;
};

} // namespace weft
