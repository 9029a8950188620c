/// Collective calls whose arguments are wrong on one rank, or on all.
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

/// How the values of an argument on different ranks are related.
enum class contract : std::uint8_t {
    equal,   ///< the same on all ranks: one that differs is an error on all
    hint,    ///< the same on all ranks, but one that differs may do no harm
    own,     ///< each rank its own: an error on all, or an answer on all
    trusted, ///< the same on all ranks, unchecked: a check would cost as much as the call
};

struct argument {
    std::string name;
    contract kind;
    std::size_t wrong_values;
};

/// One run of a call: each argument goes through `equal` or `own`, one of them comes back wrong.
class trial : public weft_test::call_trial {
public:
    /// `argument` -1: all are as they should be, and are counted.
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
    /// The same with values of the caller's choice.
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

    /// The same for a call that returns something.
    template <class Body>
    void ask(Body&& body) {
        under_test([&] { (void)body(); });
    }

    [[nodiscard]] std::vector<argument> const& found() const noexcept { return found_; }

private:
    template <class T>
    [[nodiscard]] T given(char const* name, contract kind, T const& usual, std::vector<T> const& wrong) {
        found_.push_back({name, kind, wrong.size()});
        // Ranks have other usual values, and not the same number of wrong ones.
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
