#include "handles.hpp"

#include <weft/core/version.hpp>

#include <new>

namespace weft::c {

namespace {

// As `errno`: of the thread that called, not of a communicator, which a failed call may not have.
thread_local std::string last_error;
thread_local std::string* failure_of_callback = nullptr; // where `weft_fail` puts its text

/// The failure of a callback, in the words that it gave to `weft_fail`.
class callback_error final : public error {
public:
    using error::error;
};

void keep(char const* text) noexcept {
    try {
        last_error = text;
    } catch (...) { last_error.clear(); } // no memory for the text
}

} // namespace

weft_status ended_by(std::exception_ptr const& thrown) noexcept {
    try {
        std::rethrow_exception(thrown);
    } catch (usage_error const& error) {
        keep(error.what());
        return weft_usage_error;
    } catch (io_error const& error) {
        keep(error.what());
        return weft_io_error;
    } catch (std::bad_alloc const&) {
        keep("no memory is left");
        return weft_failed;
    } catch (std::exception const& error) {
        keep(error.what());
        return weft_failed;
    } catch (...) {
        keep("unknown exception");
        return weft_failed;
    }
}

void expect_given(void const* pointer, char const* name) {
    if (pointer == nullptr) throw usage_error(std::string(name) + " is a null pointer");
}

callback::callback() noexcept : outer_(std::exchange(failure_of_callback, &said_)) {
}

callback::~callback() {
    failure_of_callback = outer_;
}

void callback::end() const {
    if (!said_.empty()) throw callback_error(said_);
}

} // namespace weft::c

char const* weft_last_error(void) {
    return weft::c::last_error.c_str();
}

void weft_fail(char const* text) {
    if (weft::c::failure_of_callback == nullptr || !weft::c::failure_of_callback->empty()) return;
    try {
        *weft::c::failure_of_callback = text != nullptr && *text != 0 ? text : "a callback has failed";
    } catch (...) { *weft::c::failure_of_callback = "no memory"; } // short enough to need none
}

char const* weft_version(void) {
    return weft::version().data();
}
