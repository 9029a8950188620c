/// Reductions, scans and broadcasts of values and arrays of blocks.
#include "../folded.hpp"
#include "../live_blocks.hpp"
#include "../verb.hpp"

#include <weft/blocks/block_all_to_all.hpp>
#include <weft/blocks/block_reduction.hpp>
#include <weft/blocks/block_scan.hpp>
#include <weft/collective/schedule.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace random_programs {

namespace {

bool is_one_of(std::string const& what, std::initializer_list<char const*> names) {
    return std::ranges::any_of(names, [&](char const* name) { return what == name; });
}

bool of_arrays(std::string const& what) {
    return is_one_of(what, {"swap_reduce", "all_reduce_arrays", "scan_arrays", "broadcast_arrays"});
}

bool draw_fold(draws& random, model const& now, operation& line) {
    std::string const what =
        random.one_of({"merge_reduce", "partial_merge", "swap_reduce", "all_reduce_arrays", "scan",
            "scan_arrays", "broadcast", "broadcast_arrays", "all_to_all", "reduce_scatter"});
    line.set("what", what);
    line.set("type", of_arrays(what) ? "number" : random.one_of({"number", "text"}));
    line.set("k", random.one_of({2, 2, 3, 4}));
    line.set("root", random.below(9));
    line.set("elements", line.has("fault") ? 1 + random.below(9) : random.one_of({0, 1, 7, 500}));
    line.set("threads", random.one_of({1, 1, 2}));
    bool const reduces =
        is_one_of(what, {"merge_reduce", "partial_merge", "swap_reduce", "all_reduce_arrays"});
    if (line.fails_by("arrays_of_unequal_lengths") && !of_arrays(what)) return false;
    if (line.fails_by("no_thread") && !reduces) return false;
    if (line.fails_by("operator_of_fold_throws") &&
        (what == "partial_merge" || !(reduces || is_one_of(what, {"scan", "scan_arrays", "reduce_scatter"}))))
        return false;
    if (line.fails_by("no_such_root") && !is_one_of(what, {"broadcast", "broadcast_arrays"})) return false;
    if (line.fails_by("result_of_fold_throws") && (reduces || of_arrays(what))) return false;
    return draw_set(random, now, line);
}

/// One call, and what it must give.
template <class T>
class fold {
public:
    fold(session& of, operation const& line, live_blocks& live)
        : of_(of), line_(line), live_(live), blocks_(static_cast<std::size_t>(live.blocks())) {
        failing_ = live.failing_block(line);
        root_ = line.value("root") % live.blocks();
        options_.threads = line.id("threads");
        if (line.fails_by("no_thread") && session::fails_here(line, live.group.comm)) options_.threads = 0;
        for (std::int64_t id = 0; id < live.blocks(); ++id) all_.push_back(value(id));
    }

    void run() {
        std::string const what = line_.text("what");
        if (what == "merge_reduce" || what == "partial_merge") merge(what == "partial_merge");
        if (what == "scan") scan();
        if (what == "broadcast") broadcast();
        if (what == "all_to_all") all_to_all();
        if (what == "reduce_scatter") reduce_scatter();
        if constexpr (std::is_same_v<T, affine>)
            if (of_arrays(what)) fold_arrays(what);
    }

private:
    [[nodiscard]] T value(std::int64_t from, std::int64_t to = 0) const {
        return item_of<T>(mixed({line_.seed(), 3, static_cast<number>(from), static_cast<number>(to)}));
    }
    [[nodiscard]] T given(std::int64_t from, std::int64_t to = 0) const {
        if (line_.fails_by("value_of_fold_throws")) live_.throw_if_planned(line_, from);
        return value(from, to);
    }
    [[nodiscard]] auto joining() const {
        return [this](T const& a, T const& b) {
            if (line_.fails_by("operator_of_fold_throws")) throw planned_fault(fault_text(line_));
            return folded(a, b);
        };
    }
    void check(bool right, std::int64_t block) const {
        of_.check(right, line_, "block " + std::to_string(block) + " has another result");
    }
    /// Keeps results until all are there: callbacks may run on several threads.
    [[nodiscard]] auto keeping() {
        results_.assign(blocks_, std::nullopt);
        return [this](cell&, weft::block_id id, T const& result) {
            if (line_.fails_by("result_of_fold_throws")) live_.throw_if_planned(line_, weft::index_of(id));
            results_[static_cast<std::size_t>(weft::index_of(id))] = result;
        };
    }
    template <class Expected>
    void check_each(Expected&& expected) {
        for (std::int64_t id = 0; id < live_.blocks(); ++id)
            if (live_.rank_of(id) == live_.group.comm.rank())
                check(results_[static_cast<std::size_t>(id)] == expected(static_cast<std::size_t>(id)), id);
    }

    void merge(bool partial) {
        int const k = line_.id("k");
        weft::regular_schedule const rounds = partial
                                                  ? weft::merge_schedule(live_.blocks(), std::array{k})
                                                  : weft::merge_schedule(live_.blocks(), k, {.root = root_});
        weft::merge_reduce<T>(
            *live_.set, rounds, [&](cell const&, weft::block_id id) { return given(weft::index_of(id)); },
            joining(), keeping(), options_);
        std::size_t const width = partial ? static_cast<std::size_t>(k) : blocks_;
        std::int64_t kept = 0;
        for (std::size_t id = 0; id < blocks_; ++id) {
            if (!results_[id]) continue;
            ++kept;
            std::size_t const first = id / width * width;
            check(*results_[id] == folded(all_, first, std::min(first + width, blocks_)),
                static_cast<std::int64_t>(id));
            of_.check(
                partial || static_cast<std::int64_t>(id) == root_, line_, "not the root has the result");
        }
        of_.check(
            weft::sum(live_.group.comm, kept) == static_cast<std::int64_t>((blocks_ + width - 1) / width),
            line_, "groups have not one result each");
    }
    void scan() {
        weft::scan<T>(
            *live_.set, [&](cell const&, weft::block_id id) { return given(weft::index_of(id)); }, joining(),
            keeping());
        check_each([&](std::size_t id) { return folded(all_, 0, id + 1); });
    }
    void broadcast() {
        weft::broadcast<T>(
            *live_.set, weft::block_id{line_.fails_by("no_such_root") ? live_.blocks() : root_},
            [&](cell const&, weft::block_id id) { return given(weft::index_of(id)); }, keeping());
        check_each([&](std::size_t) { return all_[static_cast<std::size_t>(root_)]; });
    }
    void all_to_all() {
        std::vector<std::vector<T>> got(blocks_);
        weft::all_to_all<T>(
            *live_.set,
            [&](cell const&, weft::block_id from, weft::block_id to) {
                return given(weft::index_of(from), weft::index_of(to));
            },
            [&](cell&, weft::block_id id, std::vector<T> all) {
                if (line_.fails_by("result_of_fold_throws"))
                    live_.throw_if_planned(line_, weft::index_of(id));
                got[static_cast<std::size_t>(weft::index_of(id))] = std::move(all);
            });
        for (std::int64_t to = 0; to < live_.blocks(); ++to)
            if (live_.rank_of(to) == live_.group.comm.rank())
                check(got[static_cast<std::size_t>(to)] == values_to(to), to);
    }
    void reduce_scatter() {
        weft::reduce_scatter<T>(
            *live_.set,
            [&](cell const&, weft::block_id from, weft::block_id to) {
                return given(weft::index_of(from), weft::index_of(to));
            },
            joining(), keeping());
        check_each(
            [&](std::size_t to) { return folded(values_to(static_cast<std::int64_t>(to)), 0, blocks_); });
    }
    [[nodiscard]] std::vector<T> values_to(std::int64_t to) const {
        std::vector<T> made;
        for (std::int64_t from = 0; from < live_.blocks(); ++from) made.push_back(value(from, to));
        return made;
    }

    void fold_arrays(std::string const& what) {
        auto const elements = static_cast<std::size_t>(line_.value("elements"));
        std::vector<std::vector<T>> arrays(blocks_);
        std::vector<std::vector<T>> drawn(elements); // by element, then block
        for (std::size_t id = 0; id < blocks_; ++id)
            for (std::size_t i = 0; i < elements; ++i) {
                arrays[id].push_back(value(static_cast<std::int64_t>(id), static_cast<std::int64_t>(i)));
                drawn[i].push_back(arrays[id].back());
            }
        if (line_.fails_by("arrays_of_unequal_lengths") && blocks_ > 1)
            arrays[static_cast<std::size_t>(failing_)].push_back(T{});
        auto const array = [&](cell&, weft::block_id id) {
            if (line_.fails_by("value_of_fold_throws")) live_.throw_if_planned(line_, weft::index_of(id));
            return std::span<T>(arrays[static_cast<std::size_t>(weft::index_of(id))]);
        };
        if (what == "swap_reduce") {
            std::vector<std::pair<std::size_t, std::size_t>> shares(blocks_);
            weft::swap_reduce<T>(
                *live_.set, weft::swap_schedule(live_.blocks(), line_.id("k")), array, joining(),
                [&](cell&, weft::block_id id, std::span<T> share, std::size_t first) {
                    shares[static_cast<std::size_t>(weft::index_of(id))] = {first, share.size()};
                },
                options_);
            std::int64_t kept = 0;
            for (std::size_t id = 0; id < blocks_; ++id)
                for (std::size_t i = 0; i < shares[id].second; ++i, ++kept) {
                    std::size_t const at = shares[id].first + i;
                    check(arrays[id][at] == folded(drawn[at], 0, blocks_), static_cast<std::int64_t>(id));
                }
            of_.check(weft::sum(live_.group.comm, kept) == line_.value("elements"), line_,
                "the shares are not the array");
            return;
        }
        if (what == "all_reduce_arrays") weft::all_reduce_arrays<T>(*live_.set, array, joining(), options_);
        if (what == "scan_arrays") weft::scan_arrays<T>(*live_.set, array, joining());
        if (what == "broadcast_arrays")
            weft::broadcast_arrays<T>(
                *live_.set, weft::block_id{line_.fails_by("no_such_root") ? live_.blocks() : root_}, array);
        for (std::size_t id = 0; id < blocks_; ++id) {
            if (live_.rank_of(static_cast<std::int64_t>(id)) != live_.group.comm.rank()) continue;
            for (std::size_t i = 0; i < elements; ++i) {
                T const expected = what == "broadcast_arrays"
                                       ? drawn[i][static_cast<std::size_t>(root_)]
                                       : folded(drawn[i], 0, what == "scan_arrays" ? id + 1 : blocks_);
                check(arrays[id][i] == expected, static_cast<std::int64_t>(id));
            }
        }
    }

    session& of_;
    operation const& line_;
    live_blocks& live_;
    std::size_t blocks_;
    std::int64_t failing_ = -1;
    std::int64_t root_ = 0;
    weft::reduction_options options_;
    std::vector<T> all_;
    std::vector<std::optional<T>> results_;
};

ending ending_of_fold(operation const& line, live_blocks& live) {
    if (!line.has("fault")) return {};
    if (line.fails_by("operator_of_fold_throws"))
        return live.blocks() > 1 ? ending{failure_kind::planned} : ending{};
    if (line.fails_by("arrays_of_unequal_lengths"))
        return {live.blocks() > 1 ? failure_kind::usage : failure_kind::none};
    if (line.fails_by("no_thread") || line.fails_by("no_such_root")) return {failure_kind::usage};
    // The value of one block alone is asked for.
    bool const asked = !line.fails_by("value_of_fold_throws") || line.text("what") != "broadcast" ||
                       live.failing_block(line) == line.value("root") % live.blocks();
    return asked ? live.ending_of(line) : ending{};
}

void run_fold(session& of, operation const& given) {
    live_blocks& live = *of.block_sets.at(given.id("blocks"));
    if (live.blocks() == 0) return;
    operation line = live.one_fault(given);
    bool const refused = !live.all_in_memory && of_arrays(line.text("what"));
    if (refused && live.fault) return; // of two errors nobody knows which is told
    if (refused) line.arguments.erase("fault");
    ending const how = refused ? ending{failure_kind::usage} : ending_of_fold(line, live);
    live.round(of, line, how, [&] {
        if (line.text("type") == "text")
            fold<std::string>(of, line, live).run();
        else
            fold<affine>(of, line, live).run();
    });
}

} // namespace

extern verb const fold_blocks_verb;
verb const fold_blocks_verb{"fold_blocks", 8, draw_fold, nullptr, run_fold};

} // namespace random_programs
