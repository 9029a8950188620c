#include "injector.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>
#include <unordered_map>

namespace faults {

namespace {

std::atomic<bool> armed = false; // threads of block sets allocate too
std::atomic<std::int64_t> left = 0;
std::atomic<std::int64_t> seen = 0;
std::atomic<bool> thrown = false;
std::atomic<bool> is_due = false; // the fault was put off until the next opportunity
memory wanted = memory::of_users;
int const* open_operations = nullptr;
std::array<void*, 40> last_place;
int last_depth = 0;
std::uintptr_t top_of_stack = 0;
std::size_t bytes_of_stack = 0; // 0: any stack
std::vector<std::int64_t>* listed = nullptr;

bool is_on_stack() noexcept {
    char const here = 0;
    std::uintptr_t const address = reinterpret_cast<std::uintptr_t>(&here);
    return bytes_of_stack == 0 || top_of_stack - address < bytes_of_stack;
}

/// The simulated machine stands for MPI and the network: what it keeps in the course of a rank's call is not
/// memory of the program.
bool is_of_machine(void* frame) {
    static std::unordered_map<void*, bool> known;
    auto const [found, is_new] = known.try_emplace(frame, false);
    if (!is_new) return found->second;
    Dl_info of{};
    if (dladdr(frame, &of) == 0 || of.dli_sname == nullptr) return false;
    std::string_view const name = of.dli_sname;
    for (std::string_view const each :
        {"N4weft17simulated_machine", "N4weft15simulated_group", "N4weft17simulated_program5sleep",
            "N4weft17simulated_program11before_look", "N4weft15arrival_order"})
        found->second = found->second || name.find(each) != std::string_view::npos;
    return found->second;
}

/// A mailbox that finds no memory while it receives fails alone (ADR 325), so a program that goes on after
/// each fault cannot try these allocations. Handlers called by a mailbox can throw.
bool is_of_received_mail() {
    std::array<void*, 16> frames;
    int const depth = backtrace(frames.data(), static_cast<int>(frames.size()));
    constexpr int own_frames = 5;
    for (int i = 0; i < depth; ++i) {
        Dl_info of{};
        bool const is_named =
            dladdr(frames[static_cast<std::size_t>(i)], &of) != 0 && of.dli_sname != nullptr;
        if (!is_named && i >= own_frames) return false;
        std::string_view const name = is_named ? of.dli_sname : "";
        bool const allocates = name.empty() || name.starts_with("_ZN6faults") || name.starts_with("_Zn") ||
                               name.starts_with("__wrap") || name.starts_with("_ZN4weft6buffer") ||
                               name.starts_with("_ZN4weft6detail13take_recycled") ||
                               name.starts_with("_ZNSt");
        if (allocates) continue;
        return name.find("N4weft11mail_router") != std::string_view::npos ||
               name.find("N4weft13incoming_mail") != std::string_view::npos;
    }
    return false;
}

void list(std::int64_t number) {
    std::array<void*, 100> frames;
    int const depth = backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 0; i < depth; ++i)
        if (is_of_machine(frames[static_cast<std::size_t>(i)])) return;
    listed->push_back(number);
}

bool is_the_one() noexcept {
    if (!is_on_stack()) return false;
    std::int64_t const number = seen.fetch_add(1, std::memory_order_relaxed) + 1;
    if (listed != nullptr) {
        armed = false; // the list allocates
        list(number);
        armed = true;
    }
    if (left.fetch_sub(1, std::memory_order_relaxed) != 1 && !is_due.load(std::memory_order_relaxed))
        return false;
    armed = false; // the program goes on with what it has
    bool const goes_on =
        wanted == memory::of_users || wanted == memory::inside_of_operations || wanted == memory::large;
    is_due = goes_on && is_of_received_mail();
    if (is_due) {
        armed = true;
        return false;
    }
    thrown = true;
    last_depth = backtrace(last_place.data(), static_cast<int>(last_place.size()));
    return true;
}

bool is_wanted(std::size_t bytes) noexcept {
    bool const inside = open_operations != nullptr && *open_operations > 0;
    bool const large = bytes >= least_of_users;
    switch (wanted) {
    case memory::of_users:
        return large && !inside;
    case memory::inside_of_operations:
        return large && inside;
    case memory::large:
        return large;
    case memory::small:
        return !large;
    default:
        return true;
    }
}

void in_allocation(std::size_t bytes) {
    if (!armed.load(std::memory_order_relaxed) || !is_wanted(bytes)) return;
    if (is_the_one()) throw std::bad_alloc();
}

void* allocated(std::size_t bytes) {
    in_allocation(bytes);
    void* const made = std::malloc(bytes + static_cast<std::size_t>(bytes == 0));
    if (made == nullptr) throw std::bad_alloc();
    return made;
}

} // namespace

void arm(std::int64_t n, memory which, int const* operations) noexcept {
    left = n;
    seen = 0;
    thrown = false;
    is_due = false;
    wanted = which;
    open_operations = operations;
    armed = true;
}

void only_on(void const* top, std::size_t bytes) noexcept {
    top_of_stack = reinterpret_cast<std::uintptr_t>(top);
    bytes_of_stack = bytes;
}

void list_into(std::vector<std::int64_t>* numbers) noexcept {
    listed = numbers;
}

bool disarm() noexcept {
    armed = false;
    return thrown;
}

std::int64_t counted() noexcept {
    return seen;
}

void in_callback() {
    if (!armed.load(std::memory_order_relaxed) || wanted == memory::inside_of_operations ||
        wanted == memory::small || wanted == memory::any)
        return;
    if (is_the_one()) throw injected_fault();
}

void print_last_place() noexcept {
    backtrace_symbols_fd(last_place.data(), last_depth, STDERR_FILENO);
}

std::vector<std::string> last_functions() {
    char** const names = backtrace_symbols(last_place.data(), last_depth);
    std::vector<std::string> found;
    for (int i = 0; names != nullptr && i < last_depth; ++i) { // program(function+0x12) [0x34]
        std::string const line = names[i];
        std::size_t const first = line.find('(') + 1;
        std::string const name = line.substr(first, line.find('+', first) - first);
        if (name.starts_with("_ZN4weft") || name.starts_with("_ZNK4weft")) found.push_back(name);
    }
    std::free(names);
    return found;
}

} // namespace faults

// The linker sends the library's own requests for memory here (--wrap): blocks that it keeps for later use
// are no less an opportunity than those of the system.
extern "C" {
void __real__ZN4weft6buffer4growEm(void* self, std::size_t at_least);
void __wrap__ZN4weft6buffer4growEm(void* self, std::size_t at_least) {
    faults::in_allocation(at_least);
    __real__ZN4weft6buffer4growEm(self, at_least);
}
void* __real__ZN4weft6detail13take_recycledEm(std::size_t bytes);
void* __wrap__ZN4weft6detail13take_recycledEm(std::size_t bytes) {
    faults::in_allocation(bytes);
    return __real__ZN4weft6detail13take_recycledEm(bytes);
}
}

void* operator new(std::size_t bytes) {
    return faults::allocated(bytes);
}
void* operator new[](std::size_t bytes) {
    return faults::allocated(bytes);
}
void operator delete(void* block) noexcept {
    std::free(block);
}
void operator delete[](void* block) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
    std::free(block);
}
