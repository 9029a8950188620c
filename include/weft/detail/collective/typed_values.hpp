/// Values of one type in a merge, combined by an operator.
#pragma once

#include <weft/detail/collective/merged_values.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace weft::detail {

/// The values of a rank in a merge, typed.
template <wire_type T, class Combine>
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
        T of{}; // in a struct, so that a vector<held> of bool has addressable values
    };

    void join(T& left, T& right) { left = combine_(std::move(left), std::move(right)); }

    Combine& combine_;
    std::vector<held> values_;
};

/// Adds the value of this rank, for which the others wait in `call`.
template <class Values, class T>
void add_or_alone(Values& values, T&& mine, char const* call) try {
    values.add(std::forward<T>(mine));
} catch (std::bad_alloc const&) {
    alone_unless_agreed(call);
    throw;
}

} // namespace weft::detail
