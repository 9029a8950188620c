/// Collective calls under test, with small data.
#pragma once

#include "injector.hpp"

#include <harness/call_trial.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace faults {

using weft_test::told;

/// One run of a call: its preparation is undisturbed, but code in `under_test` may meet a fault.
class trial : public weft_test::call_trial {
public:
    trial(weft::communicator const& comm, std::string const& folder, std::int64_t n, memory which, bool fails)
        : call_trial(comm, folder), n_(n), which_(which), fails_(fails) {}

    /// Returns true if the call has ended without an error here.
    template <class Body>
    bool under_test(Body&& body) {
        begin();
        try {
            std::forward<Body>(body)();
        } catch (...) { thrown_ = std::current_exception(); }
        end();
        return thrown_ == nullptr;
    }
    /// Runs a call with right arguments whose answer is 1; like tests/arguments, for calls that both use.
    template <class Body>
    void ask(Body&& body) {
        std::int64_t found = 0;
        if (under_test([&] { found = body(); })) expect(found == 1);
    }
    template <class T>
    [[nodiscard]] T equal(char const*, T usual) {
        return usual;
    }
    template <class T>
    [[nodiscard]] T equal(char const*, T usual, std::vector<T> const&) {
        return usual;
    }
    /// Records whether the answer is right.
    void expect(bool right) noexcept { right_ = right_ && right; }

    [[nodiscard]] bool injected() const noexcept { return injected_; }
    [[nodiscard]] std::int64_t counted() const noexcept { return counted_; }
    [[nodiscard]] bool right() const noexcept { return right_; }

private:
    void begin();
    void end();

    std::int64_t n_;
    memory which_;
    bool fails_;
    bool injected_ = false;
    std::int64_t counted_ = 0;
    bool right_ = true;
};

struct call {
    std::string name;
    std::function<void(trial&)> run;
    told others = told::all;
    memory which = memory::of_users;
};

[[nodiscard]] std::vector<call> exchange_calls();
[[nodiscard]] std::vector<call> mailbox_calls();
[[nodiscard]] std::vector<call> container_calls();
[[nodiscard]] std::vector<call> block_calls();
[[nodiscard]] std::vector<call> frame_calls();
[[nodiscard]] std::vector<call> graph_calls();
[[nodiscard]] std::vector<call> file_calls();
[[nodiscard]] std::vector<call> volume_calls();
[[nodiscard]] std::vector<call> application_calls();
[[nodiscard]] std::vector<call> small_calls();
[[nodiscard]] std::vector<call> second_tries();
/// Returns all of these, in this order.
[[nodiscard]] std::vector<call> all_calls();

/// A value whose encoding may fail on purpose.
struct fragile {
    std::int64_t value = 0;
    std::string text = {};
    static void wire(auto& archive, auto& self) {
        in_callback();
        archive(self.value, self.text);
    }
    friend bool operator==(fragile const&, fragile const&) = default;
};
/// Makes such a value for a number, with a text of the size of a user's memory.
[[nodiscard]] inline fragile fragile_of(std::int64_t value) {
    return {value, std::string(least_of_users, 'x') + std::to_string(value)};
}

} // namespace faults
