#include "block_ranks.hpp"

#include <blocks/iexchange_engine.hpp>
#include <blocks/packed_runs.hpp>
#include <weft/detail/core/prefetch.hpp>
#include <weft/extend/mailbox/mail_engine.hpp>
#include <weft/extend/protocol/sparse_exchange.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace weft::tool {

namespace {

/// One rank in rounds: all of its blocks, then a sparse exchange whose closing all-reduce tells if any block
/// has sent.
class rounds_program final : public block_program {
public:
    rounds_program(simulated_machine& machine, int rank, block_plan const& plan)
        : machine_(machine),
          rank_(rank),
          plan_(plan),
          local_(plan.where, rank, plan.application.links(plan.where, rank)) {}

    progress step() override {
        if (!under_way_) {
            // A send whose time has come must not stand in the way of earlier ones of others.
            if (std::exchange(computed_, !computed_))
                begin_exchange();
            else
                compute();
            return progress::some;
        }
        progress const now = under_way_->step();
        if (now != progress::done) return now;
        under_way_->rethrow();
        std::int64_t const sent = under_way_->carried_result().sum[0];
        for (message& each : under_way_->take()) packed_runs::unpack(local_, std::move(each));
        under_way_.reset();
        ++round_;
        return sent == 0 ? progress::done : progress::some;
    }
    void prefetch(int stage) const noexcept override {
        if (stage == 2) detail::prefetch(this, sizeof *this);
    }

private:
    void compute() {
        for (detail::block_queues& queues : local_.all()) {
            queues.in.move_in_all(queues.pending);
            std::int64_t const units = plan_.application.take(queues, round_ == 0);
            plan_.compute(rank_, queues.id, plan_.application.seconds(queues.id, units));
            plan_.application.leave(queues, units);
        }
    }

    void begin_exchange() {
        packed_.pack(local_);
        sparse_exchange_setup setup;
        int const place = round_ % 2; // two sets of tags by parity are enough, see epoch_ledger
        setup.tags = {4 * place, 4 * place + 1, 4 * place + 2, 4 * place + 3};
        setup.counter = place;
        setup.census = plan_.engines.census;
        setup.carries = true;
        setup.carried.sum[0] = local_.take_sent();
        under_way_.emplace(machine_.at(rank_), setup, packed_.take_messages(local_));
    }

    simulated_machine& machine_;
    int rank_;
    block_plan const& plan_;
    detail::local_blocks local_;
    packed_runs packed_;
    bool computed_ = false;
    std::optional<sparse_exchange> under_way_;
    int round_ = 0;
};

/// One rank with the engine of iexchange on that of the mailbox.
class asynchronous_program final : public block_program, public block_executor {
public:
    asynchronous_program(simulated_machine& machine, int rank, block_plan const& plan)
        : machine_(machine),
          rank_(rank),
          plan_(plan),
          local_(plan.where, rank, plan.application.links(plan.where, rank)),
          called_(local_.size(), false),
          nodes_(plan.nodes.seen_by(rank)),
          mail_(machine.at(rank), setup()),
          engine_(machine.at(rank), mail_, local_,
              plan.engines.whole_queues ? short_wait{} : short_wait_for(plan.machine, plan.nodes)) {
        engine_.begin(*this, {.whole_queues = plan.engines.whole_queues}, {});
    }

    progress step() override {
        progress const now = engine_.step();
        if (now == progress::done) engine_.end();
        return now;
    }
    void prefetch(int stage) const noexcept override {
        if (stage == 2) {
            detail::prefetch(&mail_, sizeof mail_);
            engine_.prefetch();
        }
        mail_.prefetch(stage - 3);
    }
    [[nodiscard]] bool rests() const noexcept override { return engine_.rests(); }

    // One callback at a time. Its computation takes a step, and the outcome is told in the next.
    [[nodiscard]] bool accepts() const override { return !running_; }
    void begin(std::size_t place) override {
        running_ = place;
        left_ = plan_.application.take(local_.at(place), !called_[place]);
        called_[place] = true;
        compute();
    }
    [[nodiscard]] bool next(block_outcome& into) override {
        if (!running_ || std::exchange(computed_now_, false)) return false;
        detail::block_queues& queues = local_.at(*running_);
        plan_.application.leave(queues, part_);
        left_ -= part_;
        into.place = *running_;
        into.over = left_ == 0;
        if (into.over) {
            running_.reset();
        } else {
            into.sent = std::exchange(queues.out, {}); // a flush
            compute();
        }
        return true;
    }

private:
    void compute() {
        part_ = plan_.engines.flush_after > 0 ? std::min(left_, plan_.engines.flush_after) : left_;
        block_id const block = local_.at(*running_).id;
        plan_.compute(rank_, block, plan_.application.seconds(block, part_));
        computed_now_ = true;
    }
    [[nodiscard]] mail_setup setup() const {
        mail_setup made{
            .nodes = &nodes_, .how = plan_.engines.how, .sizes = {nodes_, plan_.engines.how, 0, false}};
        // Limits of a rank's buffers do not matter here: there are few messages.
        made.sizes.ring_slot = made.sizes.wire_slot = plan_.engines.slot_bytes;
        made.sizes.wire_bound = made.sizes.spill_bound = std::int64_t{1} << 30;
        for (int i = 0; i < 3; ++i) made.tags[i] = i;
        made.control_tag = 3;
        made.termination = plan_.engines.termination;
        made.grows = true;
        return made;
    }

    simulated_machine& machine_;
    int rank_;
    block_plan const& plan_;
    detail::local_blocks local_;
    std::vector<bool> called_;
    topology nodes_;
    mail_engine mail_;
    iexchange_engine engine_;
    std::optional<std::size_t> running_; // the block whose callback runs
    std::int64_t left_ = 0;              // units that it has not done, ...
    std::int64_t part_ = 0;              // ... but for what it does before it flushes
    bool computed_now_ = false;
};

} // namespace

std::unique_ptr<block_program> make_block_program(
    std::string const& engine, simulated_machine& machine, int rank, block_plan const& plan) {
    if (engine == "exchange") return std::make_unique<rounds_program>(machine, rank, plan);
    return std::make_unique<asynchronous_program>(machine, rank, plan);
}

} // namespace weft::tool
