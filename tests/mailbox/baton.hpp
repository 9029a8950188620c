/// Code that blocks, as one rank of a run under the adversary, which has one thread. Private.
#pragma once

#include <weft/extend/transport/drive.hpp>

#include <semaphore.h>

#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace weft_test {

/// Runs in a thread of its own, but only while its owner is in `resume`, so that all is as with one thread.
class baton {
public:
    /// `step` is called again and again until it says done; it may `pause` inside.
    explicit baton(std::function<weft::progress()> step) : step_(std::move(step)) {}
    baton(baton const&) = delete;
    baton& operator=(baton const&) = delete;
    ~baton() {
        if (!thread_.joinable()) return;
        ends_ = true;
        runs_.release();
        thread_.join();
    }

    /// To the next pause or the end of the next step; what that said, or threw.
    weft::progress resume() {
        if (!thread_.joinable()) thread_ = std::thread([this] { go(); });
        runs_.release();
        waits_.acquire();
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        return said_;
    }
    /// From inside: lets the owner go on until it resumes this.
    void pause(weft::progress said) {
        struct owner_has_gone {};
        if (ends_) throw owner_has_gone(); // once more: somebody has caught the first
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
    /// Not std::binary_semaphore, which yields a dozen times before it sleeps: on a busy machine each is a
    /// time slice of somebody else.
    class semaphore {
    public:
        semaphore() { ::sem_init(&it_, 0, 0); }
        semaphore(semaphore const&) = delete;
        semaphore& operator=(semaphore const&) = delete;
        ~semaphore() { ::sem_destroy(&it_); }
        void release() { ::sem_post(&it_); }
        void acquire() {
            while (::sem_wait(&it_) != 0) {} // a signal came between
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
