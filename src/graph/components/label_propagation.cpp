#include "label_propagation.hpp"

#include "graph/counts/delegated_graph.hpp"

#include <frames/owner_cursor.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace weft {

namespace {

struct news {
    std::int64_t at; ///< a local number of the receiver, or the place of a delegate
    global_id label;
};

/// Labels of vertices or delegates, and a flag for each label that the neighbours have not been told yet.
struct labels {
    std::vector<global_id> label;
    std::vector<char> untold;

    explicit labels(std::vector<global_id> first) : label(std::move(first)), untold(label.size(), 1) {}

    /// Lowers a label to `to`, and returns true if it was larger.
    bool lower(std::int64_t at, global_id to) noexcept {
        auto const i = static_cast<std::size_t>(at);
        if (to >= label[i]) return false;
        label[i] = to;
        untold[i] = 1;
        return true;
    }
};

std::vector<global_id> own_ids(simple_graph const& graph) {
    std::vector<global_id> ids(static_cast<std::size_t>(graph.local_count()));
    std::iota(ids.begin(), ids.end(), graph.first_vertex());
    return ids;
}

/// One rank's part. If a label falls, its neighbours are told depth first, the smallest labels first. Most
/// labels of this rank therefore fall only once. A message only lowers labels; their neighbours are told
/// afterwards.
class propagation {
public:
    propagation(simple_graph const& graph, delegated_graph const& edges, mailbox& mail)
        : graph_(graph),
          edges_(edges),
          mail_(mail),
          to_vertex_(mail.channel<news>([this](std::span<news const> here) {
              for (news const& each : here)
                  if (of_local_.lower(each.at, each.label)) fallen_.push_back(local_item(each.at));
          })),
          to_delegates_(mail.channel<news>([this](news const& here) {
              if (of_delegate_.lower(here.at, here.label)) fallen_.push_back(delegate_item(here.at));
          })),
          owner_of_(graph.vertices()),
          of_local_(own_ids(graph)),
          of_delegate_(edges.delegates) {
        // At first every label has to be told.
        for (std::int64_t local = 0; local < graph.local_count(); ++local)
            fallen_.push_back(local_item(local));
        for (std::int64_t place = 0; place < std::ssize(edges.delegates); ++place)
            fallen_.push_back(delegate_item(place));
    }

    std::vector<global_id> run() && {
        while (true) {
            if (!fallen_.empty())
                tell_fallen();
            else if (mail_.test_empty())
                break;
        }
        for (std::size_t i = 0; i < edges_.delegates.size(); ++i) {
            global_id const local = edges_.delegates[i] - graph_.first_vertex();
            if (local >= 0 && local < graph_.local_count())
                of_local_.label[static_cast<std::size_t>(local)] = of_delegate_.label[i];
        }
        return std::move(of_local_.label);
    }

private:
    using item = std::int64_t; // a local vertex, or the complement of a delegate's place
    static item local_item(std::int64_t local) noexcept { return local; }
    static item delegate_item(std::int64_t place) noexcept { return ~place; }

    [[nodiscard]] global_id label_of(item which) const noexcept {
        return which >= 0 ? of_local_.label[static_cast<std::size_t>(which)]
                          : of_delegate_.label[static_cast<std::size_t>(~which)];
    }

    /// Tells the neighbours of labels that have fallen so far, and of those that fall on this rank because
    /// of it.
    void tell_fallen() {
        std::vector<item> now = std::exchange(fallen_, {});
        std::ranges::sort(now, std::less<>(), [&](item which) { return label_of(which); });
        for (item const start : now) {
            stack_.push_back(start);
            while (!stack_.empty()) {
                item const next = stack_.back();
                stack_.pop_back();
                tell(next);
            }
        }
    }

    void tell(item which) {
        labels& kind = which >= 0 ? of_local_ : of_delegate_;
        std::int64_t const at = which >= 0 ? which : ~which;
        if (std::exchange(kind.untold[static_cast<std::size_t>(at)], 0) == 0) return; // told since it fell
        global_id const label = kind.label[static_cast<std::size_t>(at)];
        for (edge_end const end : (which >= 0 ? edges_.of_local : edges_.of_delegate).of(at)) {
            if (end.is_local()) {
                if (of_local_.lower(end.value(), label)) stack_.push_back(local_item(end.value()));
            } else if (end.is_delegate()) {
                if (!of_delegate_.lower(end.value(), label)) continue;
                stack_.push_back(delegate_item(end.value()));
                to_delegates_.broadcast({end.value(), label});
            } else if (label < end.value()) {
                int const owner = owner_of_(end.value());
                to_vertex_.send(owner, {end.value() - owner_of_.begin(), label});
            }
        }
    }

    simple_graph const& graph_;
    delegated_graph const& edges_;
    mailbox& mail_;
    channel<news> to_vertex_;
    channel<news> to_delegates_;
    owner_cursor owner_of_;
    labels of_local_;
    labels of_delegate_;
    std::vector<item> fallen_; // by messages; their neighbours must be told
    std::vector<item> stack_;
};

} // namespace

std::vector<global_id> label_by_propagation(
    gate& call, simple_graph const& graph, std::int64_t threshold, std::int64_t& delegates) {
    if (threshold == 0) threshold = std::max<std::int64_t>(256, std::int64_t{8} * graph.comm().size());
    delegated_graph const edges = delegate_hubs(call, graph, threshold);
    delegates = std::ssize(edges.delegates);
    call.agree(); // before a mailbox is made, of which no rank may be missing
    mailbox mail(graph.comm());
    return propagation(graph, edges, mail).run();
}

} // namespace weft
