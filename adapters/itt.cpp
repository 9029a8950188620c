/// Operations of Weft as tasks of ITT, in a domain "weft": for VTune and other tools that read it.
#include <ittnotify.h>

#include <unordered_map>

namespace {

__itt_domain* domain() {
    static __itt_domain* const of_process = __itt_domain_create("weft");
    return of_process;
}

/// A handle is found by its text, one after the other; the address of a name is faster.
__itt_string_handle* handle_of(char const* name) {
    static thread_local std::unordered_map<char const*, __itt_string_handle*> known;
    auto const [found, is_new] = known.try_emplace(name, nullptr);
    if (is_new) found->second = __itt_string_handle_create(name);
    return found->second;
}

} // namespace

extern "C" void weft_operation_began(char const* name, char const* /*within*/) {
    __itt_task_begin(domain(), __itt_null, __itt_null, handle_of(name));
}

extern "C" void weft_operation_ended(char const* /*name*/, char const* /*within*/) {
    __itt_task_end(domain());
}
