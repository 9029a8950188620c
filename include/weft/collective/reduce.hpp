/// Values of all ranks combined by any operator.
#pragma once

#include <weft/collective/merge_ranks.hpp>
#include <weft/core/communicator.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// Makes one value of two: an operator of a reduction.
template <class Combine, class T>
concept combines = std::is_invocable_r_v<T, Combine&, T, T>;

/// The values of a rank in a merge, typed.
template <wire_type T, combines<T> Combine>
class typed_values : public merged_values {
public:
    explicit typed_values(Combine& combine) : combine_(combine) {}

    void add(T value) { values_.push_back({std::move(value)}); }
    void resize(std::size_t values) { values_.resize(values); }
    [[nodiscard]] T& at(std::size_t value) noexcept { return values_[value].of; }
    [[nodiscard]] T take(std::size_t value) { return std::move(at(value)); }

    void write(std::size_t value, buffer& to) override { encode(to, std::as_const(values_[value].of)); }
    std::size_t read(std::span<std::byte const> from) override {
        add(decode<T>(from));
        return values_.size() - 1;
    }
    [[nodiscard]] bool reading_may_throw() const noexcept override { return !bare_type<T>; }
    void expect(std::size_t reads) override { values_.reserve(values_.size() + reads); }
    void combine(std::size_t left, std::size_t right) override { join(at(left), at(right)); }
    [[nodiscard]] owned<combination> combination_of(std::size_t left, std::size_t right) override {
        return owned<combination>(new pair(*this, left, right));
    }

private:
    class pair final : public combination {
    public:
        pair(typed_values& of, std::size_t left, std::size_t right)
            : of_(of), left_(of.at(left)), right_(of.at(right)) {}
        void run() override { of_.join(left_, right_); }

    private:
        typed_values& of_;
        T& left_;
        T& right_;
    };

    struct held {
        T of{}; // in a class of its own, so that a vector of bool is one of values
    };

    void join(T& left, T& right) { left = combine_(std::move(left), std::move(right)); }

    Combine& combine_;
    std::vector<held> values_;
};

/// The values of all ranks combined, on all ranks. The operator need not commute.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: 2 (P - 1) messages, at most 2 log2 P deep; a
/// census for types that are not trivially copyable. Order: of the ranks, in pairs, in pairs of pairs; what
/// is left over joins from the right. Throws: what the operator throws, agreed; `mpi_error`. Source: Peterka,
/// Ross, EuroMPI 2012, algorithm 1.
template <wire_type T, combines<T> Combine>
[[nodiscard]] T all_reduce(communicator const& comm, T mine, Combine&& combine) {
    typed_values<T, std::remove_reference_t<Combine>> values(combine);
    values.add(std::move(mine));
    return values.take(merge_ranks(comm, {.values = values, .k = value_k(comm, sizeof(T))}, "all_reduce"));
}

/// The same, on the root alone. Throws: as `all_reduce`; `usage_error` for a root that is no rank.
template <wire_type T, combines<T> Combine>
[[nodiscard]] std::optional<T> reduce(communicator const& comm, T mine, Combine&& combine, int root = 0) {
    typed_values<T, std::remove_reference_t<Combine>> values(combine);
    values.add(std::move(mine));
    std::size_t const value = merge_ranks(comm,
        {.values = values, .k = value_k(comm, sizeof(T)), .root = root, .to = merged_to::root}, "reduce");
    if (comm.rank() != root) return std::nullopt;
    return values.take(value);
}

/// The values of the ranks 0 to this one combined. The operator need not commute.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: at most ceil(log2 P) messages a rank, and
/// a census. Order: of the ranks; the brackets depend on the number of this rank alone. Throws: as
/// `all_reduce`.
template <wire_type T, combines<T> Combine>
[[nodiscard]] T scan(communicator const& comm, T mine, Combine&& combine) {
    typed_values<T, std::remove_reference_t<Combine>> values(combine);
    values.add(std::move(mine));
    return values.take(scan_ranks(comm, values, "scan"));
}

} // namespace weft
