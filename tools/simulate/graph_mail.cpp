#include "graph_mail.hpp"

#include <algorithm>
#include <cstring>

namespace weft::tool {

namespace {

constexpr std::int64_t edges_a_step = 256;

class components_rank final : public graph_rank {
public:
    components_rank(simulated_machine& machine, topology const& nodes, int rank, graph_work const& work)
        : graph_rank(machine, nodes, rank, work),
          lowered_(work.graph.delegates.size()),
          to_spread_(work.graph.delegates.size()) {
        for (std::int64_t i = 0; i < std::ssize(values_); ++i)
            values_[static_cast<std::size_t>(i)] = i * machine.size() + rank;
        delegates_ = work.graph.delegates;
    }

private:
    enum class stage { pass, report, spread };

    progress send() override {
        switch (stage_) {
        case stage::pass:
            return send_labels();
        case stage::report:
            return send_lowered();
        case stage::spread:
            break;
        }
        for (std::size_t each = 0; each < to_spread_.size(); ++each)
            if (to_spread_[each]) broadcast({~work_.graph.delegates[each], delegates_[each]});
        std::ranges::fill(to_spread_, 0);
        return progress::done;
    }

    progress send_labels() {
        std::int64_t const begin = next_;
        std::int64_t const end = std::min(std::ssize(edges()), begin + edges_a_step);
        for (; next_ < end; ++next_) {
            edge const& each = edges()[static_cast<std::size_t>(next_)];
            std::int64_t const label = at(each.source);
            if (is_here(each.target))
                lower(each.target, label);
            else if (!send_to(owner(each.target), {each.target, label}))
                break;
        }
        return looked_at(begin, next_, end);
    }

    /// To the rank that broadcasts the label of a delegate.
    progress send_lowered() {
        for (; next_ < std::ssize(lowered_); ++next_) {
            auto const number = static_cast<std::size_t>(next_);
            if (!lowered_[number]) continue;
            std::int64_t const vertex = work_.graph.delegates[number];
            if (owner(vertex) == rank_)
                to_spread_[number] = 1;
            else if (!send_to(owner(vertex), {vertex, delegates_[number]}))
                return progress::none;
            lowered_[number] = 0;
        }
        return progress::done;
    }

    void lower(std::int64_t vertex, std::int64_t label) {
        std::int64_t& known = at(vertex);
        if (label >= known) return;
        known = label;
        work_.passes = std::max(work_.passes, pass_ + 1);
        int const number = work_.graph.delegate(vertex);
        if (number >= 0) lowered_[static_cast<std::size_t>(number)] = 1;
    }

    void handle(item const& got) override {
        if (stage_ == stage::pass) return lower(got.vertex, got.value);
        bool const is_report = got.vertex >= 0;
        auto const number =
            static_cast<std::size_t>(work_.graph.delegate(is_report ? got.vertex : ~got.vertex));
        delegates_[number] = std::min(delegates_[number], got.value);
        if (is_report) to_spread_[number] = 1;
    }

    bool begin_next() override {
        next_ = 0;
        if (stage_ != stage::spread && !delegates_.empty()) {
            stage_ = stage_ == stage::pass ? stage::report : stage::spread;
            return true;
        }
        stage_ = stage::pass;
        return work_.passes > pass_++; // a drain may carry this sum
    }

    stage stage_ = stage::pass;
    std::size_t pass_ = 0;
    std::int64_t next_ = 0;
    std::vector<char> lowered_;   // by delegate: here, in this pass
    std::vector<char> to_spread_; // by delegate: this rank will broadcast its label
};

class spmv_rank final : public graph_rank {
public:
    using graph_rank::graph_rank;

private:
    progress send() override {
        std::int64_t const begin = next_;
        std::int64_t const end = std::min(std::ssize(edges()), begin + edges_a_step);
        for (; next_ < end; ++next_) {
            std::int64_t const target = edges()[static_cast<std::size_t>(next_)].target;
            if (is_here(target))
                ++at(target);
            else if (!send_to(owner(target), {target, 1}))
                break;
        }
        return looked_at(begin, next_, end);
    }

    void handle(item const& got) override { at(got.vertex) += got.value; }

    bool begin_next() override {
        compute(work_.reduce_seconds);
        return false;
    }

    std::int64_t next_ = 0;
};

} // namespace

graph_rank::graph_rank(simulated_machine& machine, topology const& nodes, int rank, graph_work const& work)
    : machine_(machine),
      rank_(rank),
      work_(work),
      values_(static_cast<std::size_t>((work.graph.vertices() - rank + machine.size() - 1) / machine.size())),
      delegates_(work.graph.delegates.size()),
      nodes_(nodes.seen_by(rank)),
      mail_(machine.at(rank), simulated_mail(machine.at(rank), nodes_, work.mailbox)),
      receiver_([this](std::span<item const> batch) {
          for (item const& each : batch) handle(each);
          compute(work_.item_seconds * static_cast<double>(batch.size()));
      }),
      channel_(mail_.add(receiver_)) {
}

progress graph_rank::step() {
    if (!sent_) {
        progress const now = send();
        sent_ = now == progress::done;
        progress const received = mail_.receive();
        return now == progress::none ? received : progress::some;
    }
    mail_.set_drains(true);
    progress const now = mail_.step();
    if (!mail_.is_quiet()) return now;
    mail_.begin_next_phase();
    mail_.set_drains(false);
    sent_ = false;
    return begin_next() ? progress::some : progress::done;
}

progress graph_rank::looked_at(std::int64_t begin, std::int64_t next, std::int64_t end) {
    compute(work_.edge_seconds * static_cast<double>(next - begin));
    if (next == std::ssize(edges())) return progress::done;
    return next < end && next == begin ? progress::none : progress::some;
}

std::int64_t graph_rank::value(std::int64_t vertex) const {
    return const_cast<graph_rank*>(this)->at(vertex); // NOLINT: of the same object
}

std::int64_t& graph_rank::at(std::int64_t vertex) {
    int const number = work_.graph.delegate(vertex);
    return number >= 0 ? delegates_[static_cast<std::size_t>(number)]
                       : values_[static_cast<std::size_t>(vertex / mail_.size())];
}

bool graph_rank::send_to(int rank, item const& what) {
    auto const place = static_cast<std::size_t>(rank);
    std::byte* const room = mail_.try_room(place, mail_.key_of(channel_), sizeof what);
    if (room == nullptr) return false;
    std::memcpy(room, &what, sizeof what);
    mail_.cursor_at(place).next += sizeof what;
    compute(work_.item_seconds);
    return true;
}

void graph_rank::broadcast(item const& what) {
    mail_engine::no_waiting const spilled(mail_);
    mail_.broadcast(channel_, std::as_bytes(std::span(&what, 1)));
    compute(work_.item_seconds);
}

std::unique_ptr<graph_rank> make_components_rank(
    simulated_machine& machine, topology const& nodes, int rank, graph_work const& work) {
    return std::make_unique<components_rank>(machine, nodes, rank, work);
}

std::unique_ptr<graph_rank> make_spmv_rank(
    simulated_machine& machine, topology const& nodes, int rank, graph_work const& work) {
    return std::make_unique<spmv_rank>(machine, nodes, rank, work);
}

} // namespace weft::tool
