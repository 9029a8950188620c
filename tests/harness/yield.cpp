/// Preloaded under MPICH: ranks that share a core yield it while they wait inside a call of MPI. UCX polls by
/// this function; it calls the original, and yields the core after several successive calls without progress.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
    using function = unsigned(void*);
    static auto* const progress = reinterpret_cast<function*>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    constexpr int patience = 32;
    thread_local int in_vain = 0;
    unsigned const events = progress(worker);
    if (events != 0) {
        in_vain = 0;
    } else if (++in_vain == patience) {
        in_vain = 0;
        sched_yield();
    }
    return events;
}
