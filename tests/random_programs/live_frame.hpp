/// A frame of a random program on this rank: a plan that moves values between blocks and parts
/// repeatedly.
#pragma once

#include "session.hpp"
#include "traffic.hpp"

#include <weft/frames/block_distribution.hpp>
#include <weft/frames/frame_transfer.hpp>
#include <weft/frames/parts_view.hpp>
#include <weft/frames/ragged.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace random_programs {

using ids = std::vector<weft::global_id>;

/// Facts known to all ranks: the bounds of blocks, and the ids in the parts of each rank.
struct drawn_frames {
    drawn_frames(operation const& line, live_group const& group, number salt = 0) {
        draws random(mixed({line.seed(), group.name, salt}));
        int const most = std::max(line.id("most"), 1);
        for (int rank = 0; rank < group.comm.size(); ++rank)
            bounds.push_back(bounds.back() + random.below(most) + (rank == 0 ? 1 : 0));
        for (int rank = 0; rank < group.comm.size(); ++rank) {
            ids& mine = of_rank.emplace_back();
            for (int items = random.below(most); items > 0; --items)
                mine.push_back(
                    static_cast<weft::global_id>(random.next() % static_cast<number>(bounds.back())));
            cuts.push_back(static_cast<std::size_t>(random.below(static_cast<int>(mine.size()) + 1)));
        }
    }

    /// Returns the part of an item: each rank has two parts.
    [[nodiscard]] std::int32_t part(std::size_t rank, std::size_t item) const {
        return item < cuts[rank] ? 0 : 1;
    }
    template <class T>
    [[nodiscard]] weft::parts_view<T> parts(
        int rank, std::vector<T> const& values, std::size_t stride = 1) const {
        std::size_t const cut = std::min(cuts[static_cast<std::size_t>(rank)] * stride, values.size());
        weft::parts_view<T> made;
        made.add(std::span(values).first(cut));
        made.add(std::span(values).subspan(cut));
        return made;
    }
    [[nodiscard]] int owner(weft::global_id id) const {
        return static_cast<int>(std::ranges::upper_bound(bounds, id) - bounds.begin()) - 1;
    }
    [[nodiscard]] ids const& ids_of(int rank) const { return of_rank[static_cast<std::size_t>(rank)]; }

    ids bounds{0};
    std::vector<ids> of_rank;
    std::vector<std::size_t> cuts;
};

/// Returns the bounds that a rank passes: different from those of others if the line says so.
[[nodiscard]] inline weft::block_distribution blocks_of(
    operation const& line, weft::communicator const& comm, ids bounds) {
    if (line.fails_by("distributions_differ") && session::fails_here(line, comm) && comm.size() > 1)
        --bounds[1]; // the first block is never empty
    return weft::block_distribution(std::move(bounds));
}

[[nodiscard]] inline weft::frame_transfer transfer_of(operation const& line) {
    return static_cast<weft::frame_transfer>(line.value("transfer"));
}

/// One run of a frame: the values at each place, and the fault of this rank.
struct frame_run {
    frame_run(operation const& of, weft::communicator const& on)
        : line(of),
          comm(on),
          stride(static_cast<std::size_t>(std::max<std::int64_t>(of.value("stride"), 1))),
          fails(session::fails_here(of, on) && !(of.fails_by("strides_differ") && on.size() == 1)) {}

    /// Returns value i of an item of a rank, or of all.
    [[nodiscard]] number raw(number rank, number item, number i = 0) const {
        return mixed({line.seed(), static_cast<number>(line.number), rank, item, i});
    }
    template <class T>
    [[nodiscard]] T value(number rank, number item, number i = 0) const {
        return item_of<T>(raw(rank, item, i));
    }
    /// Returns the values of the items from `first`, `stride` for each.
    template <class T>
    [[nodiscard]] std::vector<T> values(number rank, std::size_t items, number first = 0) const {
        std::vector<T> made;
        for (std::size_t item = 0; item < items; ++item)
            for (std::size_t i = 0; i < given_stride(); ++i) made.push_back(value<T>(rank, first + item, i));
        if (fails && line.fails_by("array_of_wrong_length")) made.push_back(item_of<T>(0));
        return made;
    }
    /// Returns the list of an item, which may be empty.
    [[nodiscard]] std::vector<number> list(number rank, number item) const {
        std::vector<number> made(raw(rank, item, 99) % 4);
        for (std::size_t i = 0; i < made.size(); ++i) made[i] = raw(rank, item, i);
        return made;
    }
    [[nodiscard]] weft::ragged<number> lists(number rank, std::size_t items, number first = 0) const {
        weft::ragged<number> made;
        for (std::size_t item = 0; item < items; ++item) add(made, list(rank, first + item));
        if (fails && line.fails_by("offsets_outside")) made.offsets.back() += 5;
        return made;
    }
    static void add(weft::ragged<number>& to, std::vector<number> const& list) {
        to.values.insert(to.values.end(), list.begin(), list.end());
        to.offsets.push_back(static_cast<std::int64_t>(to.values.size()));
    }
    /// Returns the stride that this rank passes.
    [[nodiscard]] std::size_t given_stride() const {
        if (fails && line.fails_by("stride_of_0")) return 0;
        return stride + (fails && line.fails_by("strides_differ") ? 1 : 0);
    }
    /// Returns the end of a run whose operator does not throw.
    [[nodiscard]] ending how() const {
        bool const alone = line.fails_by("strides_differ") && comm.size() == 1;
        return {line.has("fault") && !alone ? failure_kind::usage : failure_kind::none};
    }
    /// An operator that does not commute, so that the order is visible.
    template <class T>
    [[nodiscard]] static T joined(T const& a, T const& b) {
        if constexpr (std::is_same_v<T, number>)
            return a * 31 + b;
        else
            return a + b;
    }

    operation const& line;
    weft::communicator const& comm;
    std::size_t stride;
    bool fails; ///< on this rank
};

struct live_frame : std::enable_shared_from_this<live_frame> {
    live_frame(live_group on, operation const& line) : group(std::move(on)), drawn(line, group) {}
    virtual ~live_frame() = default;
    live_frame(live_frame const&) = delete;
    live_frame& operator=(live_frame const&) = delete;

    /// Runs the frame in the way of the line, and compares the result.
    virtual void run(session& of, operation const& line) = 0;

    live_group const group;
    drawn_frames const drawn;
};

/// A kind of frame, with a file in frames/.
struct frame_kind {
    char const* name;
    std::vector<std::string> ways; ///< ways to run it
    std::vector<std::string> faults_made;
    std::vector<std::string> faults_run;
    /// Throws: errors of the library.
    std::shared_ptr<live_frame> (*make)(live_group const& group, operation const& line);
};

[[nodiscard]] frame_kind const& frame_kind_of(std::string const& name);

} // namespace random_programs
