/// Runs code that blocks as one rank of a run under the adversary, which has one thread. Private.
#pragma once

#include <weft/extend/transport/drive.hpp>

#include <semaphore.h>

#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace weft_test {

/// Runs on a thread of its own, but only while its owner is in `resume`, so it behaves like a single thread.
class baton {
public:
    /// `step` is called repeatedly until it is done; it may `pause` inside.
    explicit baton(std::function<weft::progress()> step) : step_(std::move(step)) {}
    baton(baton const&) = delete;
    baton& operator=(baton const&) = delete;
    ~baton() {
        if (!thread_.joinable()) return;
        ends_ = true;
        runs_.release();
        thread_.join();
    }

    /// Runs to the next pause or the end of the next step; returns its result, or throws its exception.
    weft::progress resume() {
        if (!thread_.joinable()) thread_ = std::thread([this] { go(); });
        runs_.release();
        waits_.acquire();
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        return said_;
    }
    /// Called from inside: lets the owner continue until it resumes this.
    void pause(weft::progress said) {
        struct owner_has_gone {};
        if (ends_) throw owner_has_gone(); // thrown again, since a handler has caught the first one
        said_ = said;
        waits_.release();
        runs_.acquire();
        if (ends_) throw owner_has_gone();
    }

private:
    void go() {
        runs_.acquire();
        try {
            while (!ends_) pause(step_());
        } catch (...) { thrown_ = ends_ ? nullptr : std::current_exception(); }
        waits_.release();
    }

    std::function<weft::progress()> step_;
    /// Unlike std::binary_semaphore, it does not yield a dozen times before it sleeps: on a busy machine each
    /// yield is a time slice of another process.
    class semaphore {
    public:
        semaphore() { ::sem_init(&it_, 0, 0); }
        semaphore(semaphore const&) = delete;
        semaphore& operator=(semaphore const&) = delete;
        ~semaphore() { ::sem_destroy(&it_); }
        void release() { ::sem_post(&it_); }
        void acquire() {
            while (::sem_wait(&it_) != 0) {} // interrupted by a signal
        }

    private:
        ::sem_t it_;
    };

    semaphore runs_;
    semaphore waits_;
    weft::progress said_ = weft::progress::none;
    std::exception_ptr thrown_;
    bool ends_ = false;
    std::thread thread_;
};

} // namespace weft_test
