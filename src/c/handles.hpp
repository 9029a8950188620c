/// The objects behind the handles of weft.h, and how its calls end. Private.
#pragma once

#include <weft.h>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>

#include <exception>
#include <memory>
#include <string>
#include <utility>

struct weft_comm {
    weft::communicator of;
    std::shared_ptr<void> listener = {}; ///< hears of stalls, as long as the handle lives
};

namespace weft::c {

/// Keeps the text of what was thrown for `weft_last_error`; the status of it, which all ranks have alike
/// where the error is agreed: `remote_error` is what others throw for all but two kinds.
[[nodiscard]] weft_status ended_by(std::exception_ptr const& thrown) noexcept;

/// Runs a call of C; nothing that it throws leaves it.
template <class Body>
[[nodiscard]] weft_status call(Body&& body) noexcept {
    try {
        std::forward<Body>(body)();
        return weft_ok;
    } catch (...) { return ended_by(std::current_exception()); }
}

/// Throws `usage_error` for a null pointer.
void expect_given(void const* pointer, char const* name);

/// The object behind a pointer, unless it is null.
template <class T>
T& given(T* pointer, char const* name) {
    expect_given(pointer, name);
    return *pointer;
}

/// Runs a callback of the program and throws what it has said by `weft_fail`.
class callback {
public:
    callback() noexcept;
    callback(callback const&) = delete;
    callback& operator=(callback const&) = delete;
    ~callback();
    /// Throws if the callback has failed.
    void end() const;

private:
    std::string* const outer_; // of the callback around it
    std::string said_;
};

/// Gives the program a handle; without a place for it, it is released again, after the call has taken part.
template <class T>
void hand_over(T* handle, T** place) {
    if (place == nullptr) {
        delete handle;
        throw usage_error("there is no place for the result: it is a null pointer");
    }
    *place = handle;
}

} // namespace weft::c
