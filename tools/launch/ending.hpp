/// How the command ends when it is told to.
#pragma once

#include <atomic>
#include <csignal>
#include <thread>

namespace weft::tool {

/// Waits on a thread for SIGINT, SIGTERM and SIGHUP, as far as the caller did not have them ignored (nohup
/// does), removes the partial files of the process, and lets the signal end it; where no thread can be
/// started the signal ends it and partial files stay. The other threads of the process must begin later: they
/// inherit that these signals are not theirs.
class ending_watch {
public:
    ending_watch();
    ~ending_watch();
    ending_watch(ending_watch const&) = delete;
    ending_watch& operator=(ending_watch const&) = delete;

private:
    void wait();

    sigset_t signals_ = {};
    sigset_t before_ = {};
    std::atomic<bool> over_ = false;
    std::thread waiting_;
};

} // namespace weft::tool
