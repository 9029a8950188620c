#include <weft/extend/frames/item_plan.hpp>

#include "copy_values.hpp"
#include "equal_values.hpp"
#include "move_kind.hpp"
#include "node_moves.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/census.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/machine/machine_model.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <string>

namespace weft {

char const* name_of(frame_transfer how) noexcept {
    constexpr char const* names[] = {"automatic", "plan", "shared", "sparse", "collective"};
    auto const at = static_cast<std::size_t>(how);
    return names[at < std::size(names) ? at : 0];
}

/// Links sorted by the rank of their place, stable.
struct item_plan::sorted_links {
    std::vector<int> owners;          // other ranks, ascending
    std::vector<std::int64_t> counts; // of links to each
    side items;
    std::vector<std::uint32_t> narrow; // places, by link
    std::vector<std::uint64_t> wide;   // places that take more than 32 bits

    /// `most`: the greater number of items or links. Collective: its errors are agreed.
    template <class ItemOf, class PlaceOf>
    sorted_links(communicator const& comm, std::size_t most, std::span<int const> owner_of, bool are_wide,
        ItemOf&& item_of, PlaceOf&& place_of) {
        agreed(comm, [&] {
            check_count(comm, most);
            sort(comm, owner_of, are_wide, item_of, place_of);
        });
    }

private:
    /// A rank has at most 2^32 - 2 items, so that `nowhere` is no item.
    static void check_count(communicator const& comm, std::size_t items) {
        if (items >= item_plan::nowhere)
            throw usage_error(std::to_string(items) + " items on rank " + std::to_string(comm.rank()) +
                              "; at most 4294967294 are possible");
    }

    template <class ItemOf, class PlaceOf>
    void sort(communicator const& comm, std::span<int const> owner_of, bool are_wide, ItemOf& item_of,
        PlaceOf& place_of) {
        std::vector<std::size_t> next(static_cast<std::size_t>(comm.size()) + 1);
        for (int const owner : owner_of) ++next[static_cast<std::size_t>(owner) + 1];
        for (int owner = 0; owner < comm.size(); ++owner) {
            std::size_t const links = next[static_cast<std::size_t>(owner) + 1];
            if (owner == comm.rank())
                items.own = links;
            else if (links != 0) {
                owners.push_back(owner);
                counts.push_back(static_cast<std::int64_t>(links));
            }
            next[static_cast<std::size_t>(owner) + 1] += next[static_cast<std::size_t>(owner)];
        }
        items.links = owner_of.size();
        items.own_begin = next[static_cast<std::size_t>(comm.rank())];
        items.index.resize(items.links);
        if (are_wide)
            wide.resize(items.links);
        else
            narrow.resize(items.links);
        for (std::size_t i = 0; i < owner_of.size(); ++i) {
            std::size_t const link = next[static_cast<std::size_t>(owner_of[i])]++;
            items.index[link] = item_of(i);
            if (are_wide)
                wide[link] = place_of(i);
            else
                narrow[link] = static_cast<std::uint32_t>(place_of(i));
        }
    }
};

namespace {

/// From this number of bytes on the busiest rank, two censuses and shared memory are faster than messages.
constexpr double worth_sharing = 1 << 13;
/// A sparse exchange must be predicted to take less than this part of a plan's time, since models err.
constexpr double worth_joining = 0.5;

bool is_identity(std::vector<std::uint32_t> const& index, std::size_t count) {
    if (index.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (index[i] != i) return false;
    return true;
}

/// Returns the places of all links to this rank; its own ones are between those of lower and higher ranks.
template <class Place>
std::vector<Place> exchange_places(exchange_plan const& plan, std::vector<Place> const& mine,
    std::size_t own_begin, std::size_t own, std::size_t own_begin_there) {
    std::vector<Place> out;
    std::vector<Place> all;
    std::span<Place const> remote(mine);
    agreed(plan.comm(), [&] {
        all.resize(static_cast<std::size_t>(plan.incoming_items()) + own);
        if (own == 0) return;
        out.reserve(mine.size() - own);
        out.insert(out.end(), mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(own_begin));
        out.insert(out.end(), mine.begin() + static_cast<std::ptrdiff_t>(own_begin + own), mine.end());
        remote = out;
    });
    // Arrivals are received after the room for the own places, and those of lower ranks are then moved before
    // it.
    std::span<Place> const in = std::span(all).subspan(own);
    plan.exchange(remote, in);
    std::copy(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(own_begin_there), all.begin());
    std::copy_n(mine.begin() + static_cast<std::ptrdiff_t>(own_begin), own,
        all.begin() + static_cast<std::ptrdiff_t>(own_begin_there));
    return all;
}

/// Returns the number of links from ranks below this one.
std::size_t links_from_below(exchange_plan const& plan) {
    std::size_t links = 0;
    for (std::size_t i = 0; i < plan.sources().size() && plan.sources()[i] < plan.comm().rank(); ++i)
        links = static_cast<std::size_t>(plan.incoming_offsets()[i + 1]);
    return links;
}

} // namespace

item_plan::item_plan(communicator comm, block_distribution const& blocks, std::span<int const> owners,
    std::span<global_id const> ids)
    : item_plan(comm,
          sorted_links(
              comm, ids.size(), owners, blocks.largest() > std::int64_t{UINT32_MAX},
              [](std::size_t i) { return static_cast<std::uint32_t>(i); },
              [&ids, &owners, begins = blocks.bounds()](std::size_t i) {
                  return static_cast<std::uint64_t>(ids[i] - begins[static_cast<std::size_t>(owners[i])]);
              }),
          ids.size(), blocks.largest() > std::int64_t{UINT32_MAX}) {
}

item_plan::item_plan(communicator comm, std::size_t item_count, std::span<int const> owners,
    std::span<std::uint32_t const> items, std::span<std::uint32_t const> places)
    : item_plan(comm,
          sorted_links(
              comm, std::max(item_count, items.size()), owners, false,
              [&items](std::size_t i) { return items[i]; },
              [&places](std::size_t i) { return std::uint64_t{places[i]}; }),
          item_count, false) {
}

item_plan::item_plan(communicator comm, sorted_links&& links, std::size_t item_count, bool wide)
    : plan_(std::move(comm), links.owners, links.counts),
      items_(std::move(links.items)),
      item_count_(item_count) {
    places_.own = items_.own;
    places_.own_begin = links_from_below(plan_);
    if (wide) {
        wide_ = exchange_places(plan_, links.wide, items_.own_begin, items_.own, places_.own_begin);
        places_.links = wide_.size();
    } else {
        places_.index = exchange_places(plan_, links.narrow, items_.own_begin, items_.own, places_.own_begin);
        places_.links = places_.index.size();
        for (std::uint32_t const place : places_.index)
            place_count_ = std::max(place_count_, std::size_t{place} + 1);
    }
    if (is_identity(items_.index, items_.links)) items_.index = {};
    census_value busiest = census_value::identity(); // for both directions in turn
    for (std::size_t direction : {0U, 1U}) {
        exchange_plan const plan = plan_for(direction == 0);
        std::int64_t* const here = &busiest.max[3 * direction];
        here[0] = static_cast<std::int64_t>(plan.destinations().size());
        here[1] = plan.outgoing_items();
        here[2] = 0;
        topology const& places = plan.comm().topology();
        for (std::size_t i = 0; i < plan.destinations().size(); ++i)
            if (places.node_of(plan.destinations()[i]) == places.node())
                here[2] += plan.outgoing_offsets()[i + 1] - plan.outgoing_offsets()[i];
    }
    busiest = combine_all(plan_.comm(), busiest);
    for (std::size_t direction : {0U, 1U}) {
        std::int64_t const* const most = &busiest.max[3 * direction];
        most_[direction] = {most[0], most[1], most[2]};
    }
}

frame_transfer item_plan::transfer(
    frame_transfer how, bool to_places, std::size_t value_bytes) const noexcept {
    if (how == frame_transfer::shared && !comm().settings().shared_memory) return frame_transfer::plan;
    if (how != frame_transfer::automatic) return how;
    load const& most = most_[to_places ? 0 : 1];
    auto const bytes_of = [value_bytes](std::int64_t items) {
        return static_cast<double>(items) * static_cast<double>(value_bytes);
    };
    if (comm().settings().shared_memory && bytes_of(most.near_items) >= worth_sharing)
        return frame_transfer::shared;
    // A sparse exchange combines very many short messages. A plan needs no consensus, so it takes the time
    // that nbx takes for its messages beyond the first.
    exchange_shape shape{comm().size(), comm().topology().node_count(), comm().topology().largest_node(),
        static_cast<double>(most.messages), bytes_of(most.items)};
    double const together = predicted_seconds(comm().machine(), protocol::automatic, shape);
    double by_plan = predicted_seconds(comm().machine(), protocol::nbx, shape);
    shape.bytes = 0;
    shape.messages = 1;
    by_plan -= predicted_seconds(comm().machine(), protocol::nbx, shape);
    return together < worth_joining * by_plan ? frame_transfer::sparse : frame_transfer::plan;
}

int item_plan::rank_of_place(std::size_t link) const noexcept {
    if (link >= places_.own_begin && link < places_.own_begin + places_.own) return comm().rank();
    std::size_t const planned = link < places_.own_begin ? link : link - places_.own;
    auto const offsets = plan_.incoming_offsets();
    auto const behind = std::ranges::upper_bound(offsets, static_cast<std::int64_t>(planned));
    return plan_.sources()[static_cast<std::size_t>(behind - offsets.begin()) - 1];
}

void item_plan::renumber(std::vector<std::uint32_t> places, std::size_t count) {
    has_nowhere_ = std::ranges::find(places, nowhere) != places.end();
    wide_ = {};
    places_.index = std::move(places);
    place_count_ = count;
    if (!has_nowhere_ && is_identity(places_.index, places_.links)) places_.index = {};
}

void item_plan::set_place_count(std::size_t count) {
    place_count_ = count;
    if (wide_.empty() && is_identity(places_.index, places_.links)) places_.index = {};
}

void item_plan::number_by_link() {
    wide_ = {};
    places_.index = {};
    place_count_ = places_.links;
    has_nowhere_ = false;
}

item_plan::side_view item_plan::view_of_items(bool by_link) const noexcept {
    return {by_link || items_.index.empty() ? nullptr : items_.index.data(), items_.links, items_.own_begin,
        items_.own, by_link ? items_.links : item_count_};
}

item_plan::side_view item_plan::view_of_places(bool by_link) const noexcept {
    return {by_link || places_.index.empty() ? nullptr : places_.index.data(), places_.links,
        places_.own_begin, places_.own, by_link ? places_.links : place_count_};
}

std::exception_ptr item_plan::failure_of(move const& what) const {
    if (what.failure) return what.failure;
    auto const check = [&](char const* which, std::size_t bytes, std::size_t count) -> std::exception_ptr {
        if (bytes == count * what.value_bytes) return {};
        return std::make_exception_ptr(
            usage_error(std::string(what.name) + ": " + std::to_string(bytes) + " bytes " + which +
                        " on rank " + std::to_string(comm().rank()) + ", but expected " +
                        std::to_string(count) + " values of " + std::to_string(what.value_bytes) + " bytes"));
    };
    if (auto wrong = check("to send", what.from.size(), from_side(what).count)) return wrong;
    return check("of room", what.to.size(), to_side(what).count);
}

/// One census for the checks that an exchange would do itself, and for lack of memory.
void item_plan::check_together(move const& what, bool by_plan) const {
    std::exception_ptr failure = failure_of(what);
    if (!failure && by_plan) failure = detail::failure_in([&] { make_room(what); });
    check_move(what.name, comm(), failure, kind_of_move(what.type, what.value_bytes, what.to_places, false));
}

/// Returns true if values are in the order of the links, so that they are sent or received in place.
bool item_plan::is_in_place(side_view const& side) noexcept {
    return side.index == nullptr && side.own == 0 && side.links == side.count;
}

/// Allocates buffers for values that a run of the plan cannot send or receive in place.
void item_plan::make_room(move const& what) const {
    side_view const from = from_side(what);
    side_view const to = to_side(what);
    if (!is_in_place(from)) out_.resize((from.links - from.own) * what.value_bytes);
    if (!is_in_place(to)) in_.resize((to.links - to.own) * what.value_bytes);
}

void item_plan::gather(move const& what, std::size_t link, std::size_t count, std::byte* packed) const {
    side_view const from = from_side(what);
    std::size_t const skipped = from.index == nullptr ? link * what.value_bytes : 0;
    value_copy const copy{packed, nullptr, what.from.data() + skipped,
        from.index == nullptr ? nullptr : from.index + link, count, what.value_bytes};
    if (has_nowhere_)
        copy_values(copy, nowhere, what.fill);
    else
        copy_values(copy);
}

void item_plan::scatter(
    move const& what, std::size_t link, std::size_t count, std::byte const* packed) const {
    side_view const to = to_side(what);
    std::size_t const skipped = to.index == nullptr ? link * what.value_bytes : 0;
    value_copy const copy{what.to.data() + skipped, to.index == nullptr ? nullptr : to.index + link, packed,
        nullptr, count, what.value_bytes};
    copy_values(copy);
}

void item_plan::copy_own(move const& what) const {
    side_view const from = from_side(what);
    side_view const to = to_side(what);
    value_copy const copy{what.to.data() + (to.index == nullptr ? to.own_begin * what.value_bytes : 0),
        to.index == nullptr ? nullptr : to.index + to.own_begin,
        what.from.data() + (from.index == nullptr ? from.own_begin * what.value_bytes : 0),
        from.index == nullptr ? nullptr : from.index + from.own_begin, from.own, what.value_bytes};
    if (has_nowhere_)
        copy_values(copy, nowhere, what.fill);
    else
        copy_values(copy);
}

/// To be called after `make_room`.
void item_plan::run_by_plan(move const& what) const {
    side_view const from = from_side(what);
    side_view const to = to_side(what);
    bool const send_in_place = is_in_place(from);
    bool const receive_in_place = is_in_place(to);
    std::span<std::byte const> out = what.from;
    std::span<std::byte> in = what.to;
    if (!send_in_place) {
        gather(what, 0, from.own_begin, out_.data());
        gather(what, from.own_begin + from.own, from.links - from.own_begin - from.own,
            out_.data() + from.own_begin * what.value_bytes);
        out = out_.bytes();
    }
    if (!receive_in_place) in = in_.bytes();
    plan_for(what.to_places).exchange_bytes(out, in, what.value_bytes);
    copy_own(what);
    if (!receive_in_place) {
        scatter(what, 0, to.own_begin, in.data());
        scatter(what, to.own_begin + to.own, to.links - to.own_begin - to.own,
            in.data() + to.own_begin * what.value_bytes);
    }
}

void item_plan::gather_planned(move const& what, std::size_t destination, std::byte* packed) const {
    auto const offsets = plan_for(what.to_places).outgoing_offsets();
    gather(what, from_side(what).link_of(static_cast<std::size_t>(offsets[destination])),
        static_cast<std::size_t>(offsets[destination + 1] - offsets[destination]), packed);
}

void item_plan::scatter_planned(move const& what, std::size_t source, std::byte const* packed) const {
    auto const offsets = plan_for(what.to_places).incoming_offsets();
    scatter(what, to_side(what).link_of(static_cast<std::size_t>(offsets[source])),
        static_cast<std::size_t>(offsets[source + 1] - offsets[source]), packed);
}

void item_plan::run_shared(move const& what) const {
    check_together(what, false); // also: no rank still reads the values of the last move
    exchange_plan const plan = plan_for(what.to_places);
    detail::owned<node_moves>& made = near_[what.to_places ? 0 : 1];
    bool const has_room = or_alone(what.name, [&] { // memory depends on the neighbours, not on the values
        if (!made)
            made = detail::owned<node_moves>(new node_moves(plan, most_[what.to_places ? 0 : 1].near_items));
        return made->reserve(what.value_bytes);
    });
    node_moves& near = *made;
    if (!has_room) {
        agreed(comm(), [&] { make_room(what); });
        run_by_plan(what);
        return;
    }
    std::size_t const bytes = what.value_bytes;
    if (comm().topology().node_count() > 1)
        agreed(comm(), [&] {
            out_.resize(static_cast<std::size_t>(near.far()->outgoing_items()) * bytes);
            in_.resize(static_cast<std::size_t>(near.far()->incoming_items()) * bytes);
        });
    operation_context& context = context_of(comm());
    std::size_t far_out = 0;
    for (std::size_t i = 0; i < plan.destinations().size(); ++i) {
        bool const is_near = near.sends_near(i);
        gather_planned(what, i, is_near ? near.room_for(i, bytes) : out_.data() + far_out);
        auto const length =
            static_cast<std::size_t>(plan.outgoing_offsets()[i + 1] - plan.outgoing_offsets()[i]) * bytes;
        if (is_near) context.via.account_write(plan.destinations()[i], length);
        far_out += is_near ? 0 : length;
    }
    auto const lease = begin_operation(comm());
    census written(context.via, lease.tags().control, comm().settings().all_reduce);
    written.enter(census_value::identity());
    copy_own(what);
    if (near.far()) near.far()->exchange_bytes(out_.bytes(), in_.bytes(), bytes);
    complete(context, written, what.name);
    std::size_t far_in = 0;
    for (std::size_t i = 0; i < plan.sources().size(); ++i) {
        bool const is_near = near.comes_from_near(i);
        scatter_planned(what, i, is_near ? near.values_of(i, bytes) : in_.data() + far_in);
        if (is_near) continue;
        far_in +=
            static_cast<std::size_t>(plan.incoming_offsets()[i + 1] - plan.incoming_offsets()[i]) * bytes;
    }
}

byte_exchange item_plan::pack(move const& what) const {
    byte_exchange made;
    made.failure = failure_of(what);
    made.items = kind_of_move(what.type, what.value_bytes, what.to_places, false);
    if (made.failure) return made;
    exchange_plan const plan = plan_for(what.to_places);
    try {
        for (std::size_t i = 0; i < plan.destinations().size(); ++i) {
            auto const items =
                static_cast<std::size_t>(plan.outgoing_offsets()[i + 1] - plan.outgoing_offsets()[i]);
            message packed{plan.destinations()[i], buffer(items * what.value_bytes)};
            gather_planned(what, i, packed.data.data());
            made.outgoing.push_back(std::move(packed));
        }
        copy_own(what);
    } catch (...) { made.failure = std::current_exception(); } // for lack of memory
    return made;
}

void item_plan::unpack(move const& what, message_list const& received) const {
    for (std::size_t i = 0; i < received.size(); ++i) scatter_planned(what, i, received[i].data.data());
}

void item_plan::run(move const& what) const try {
    frame_transfer const how = transfer(what.how, what.to_places, what.value_bytes);
    if (how == frame_transfer::plan) {
        check_together(what, true);
        run_by_plan(what);
        return;
    }
    if (how == frame_transfer::shared) {
        run_shared(what);
        return;
    }
    byte_exchange packed = pack(what);
    packed.blocks = true;
    pending_bytes exchange(comm(), std::move(packed), options_for(how));
    exchange.finish();
    unpack(what, exchange.take());
} catch (std::bad_alloc const&) {
    alone_unless_agreed("frame");
    throw;
}

item_plan::pending::pending(item_plan const& plan, move const& what)
    : plan_(&plan), what_(what), bytes_(plan.comm(), plan.pack(what), options_for(what.how)) {
}

void item_plan::pending::finish() {
    bytes_.finish();
    plan_->unpack(what_, bytes_.take());
}

} // namespace weft
