/// Collective calls with wrong arguments on one rank, or on all.
#pragma once

#include "wrong_values.hpp"

#include <harness/call_trial.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace arguments {

using weft_test::told;

/// The relation between the values of an argument on different ranks.
enum class contract : std::uint8_t {
    equal,   ///< the same on all ranks: a different value is an error on all
    hint,    ///< the same on all ranks, but a different value may be harmless
    own,     ///< independent on each rank: an error on all, or an answer on all
    trusted, ///< the same on all ranks, but unchecked: a check would cost as much as the call
};

struct argument {
    std::string name;
    contract kind;
    std::size_t wrong_values;
};

/// One run of a call: `equal` and `own` return its arguments, one of them wrong.
class trial : public weft_test::call_trial {
public:
    /// `argument` -1: all arguments are right, and are counted.
    trial(weft::communicator const& comm, std::string const& folder, std::int64_t argument, std::size_t value)
        : call_trial(comm, folder), argument_(argument), value_(value) {}

    template <class T>
    [[nodiscard]] T equal(char const* name, T usual) {
        return given(name, contract::equal, usual, wrong_values(usual));
    }
    template <class T>
    [[nodiscard]] T hint(char const* name, T usual) {
        return given(name, contract::hint, usual, wrong_values(usual));
    }
    template <class T>
    [[nodiscard]] T own(char const* name, T usual) {
        return given(name, contract::own, usual, wrong_values(usual));
    }
    template <class T>
    [[nodiscard]] T trusted(char const* name, T usual) {
        return given(name, contract::trusted, usual, wrong_values(usual));
    }
    /// Does so with wrong values chosen by the caller.
    template <class T>
    [[nodiscard]] T equal(char const* name, T usual, std::vector<T> const& wrong) {
        return given(name, contract::equal, usual, wrong);
    }
    template <class T>
    [[nodiscard]] T hint(char const* name, T usual, std::vector<T> const& wrong) {
        return given(name, contract::hint, usual, wrong);
    }
    template <class T>
    [[nodiscard]] T own(char const* name, T usual, std::vector<T> const& wrong) {
        return given(name, contract::own, usual, wrong);
    }
    template <class T>
    [[nodiscard]] T trusted(char const* name, T usual, std::vector<T> const& wrong) {
        return given(name, contract::trusted, usual, wrong);
    }

    /// Runs the call; keeps its exception.
    template <class Body>
    void under_test(Body&& body) {
        try {
            std::forward<Body>(body)();
        } catch (...) { thrown_ = std::current_exception(); }
    }

    /// Does so for a call with a result.
    template <class Body>
    void ask(Body&& body) {
        under_test([&] { (void)body(); });
    }

    [[nodiscard]] std::vector<argument> const& found() const noexcept { return found_; }

private:
    template <class T>
    [[nodiscard]] T given(char const* name, contract kind, T const& usual, std::vector<T> const& wrong) {
        found_.push_back({name, kind, wrong.size()});
        // Ranks may have different usual values, and different numbers of wrong ones.
        return std::ssize(found_) - 1 == argument_ ? wrong.at(value_ % wrong.size()) : usual;
    }

    std::int64_t argument_;
    std::size_t value_;
    std::vector<argument> found_;
};

struct call {
    std::string name;
    std::function<void(trial&)> run;
    told others = told::all;
};

[[nodiscard]] std::vector<call> collective_calls();
[[nodiscard]] std::vector<call> container_calls();
[[nodiscard]] std::vector<call> block_calls();
[[nodiscard]] std::vector<call> frame_calls();
[[nodiscard]] std::vector<call> graph_calls();
[[nodiscard]] std::vector<call> file_calls();
[[nodiscard]] std::vector<call> volume_calls();
[[nodiscard]] std::vector<call> particle_calls();

} // namespace arguments
