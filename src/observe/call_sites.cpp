#include "call_sites.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

extern char** environ; // NOLINT(readability-redundant-declaration)

namespace weft {

namespace {

struct mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string path;
};

struct code_address {
    std::string path;
    std::uint64_t offset = 0;
};

struct source_place {
    std::string function;
    std::string file;
    std::string line;
};

std::string_view file_name(std::string_view path) noexcept {
    return path.substr(path.find_last_of('/') + 1); // npos + 1 is the beginning
}

/// Returns the folder of Weft's sources; empty if the compiler was not given absolute paths.
constexpr std::string_view folder_of_weft() noexcept {
    constexpr std::string_view own = "observe/call_sites.cpp";
    constexpr std::string_view here = __FILE__;
    return here.starts_with('/') && here.ends_with(own) ? here.substr(0, here.size() - own.size())
                                                        : std::string_view();
}

std::vector<mapping> mappings_of(int pid) {
    std::vector<mapping> found;
    std::FILE* const file = std::fopen(("/proc/" + std::to_string(pid) + "/maps").c_str(), "r");
    if (file == nullptr) return found;
    std::array<char, 4096> line;
    while (std::fgets(line.data(), line.size(), file) != nullptr) {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        int path_at = 0;
        if (std::sscanf(line.data(), "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &begin, &end, &path_at) <
                2 ||
            path_at == 0)
            continue;
        std::string path(line.data() + path_at);
        while (!path.empty() && path.back() == '\n') path.pop_back();
        if (path.starts_with('/')) found.push_back({begin, end, std::move(path)});
    }
    std::fclose(file);
    return found;
}

/// Returns true if the addresses in a file equal those of the process, as in an executable without
/// relocation.
bool has_fixed_addresses(std::string const& path) {
    std::array<unsigned char, 18> head{};
    int const file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool const all = read(file, head.data(), head.size()) == static_cast<ssize_t>(head.size());
    close(file);
    constexpr unsigned char executable = 2; // ET_EXEC
    return all && head[16] == executable;
}

/// Returns true for libraries without code of the user.
bool is_system_library(std::string_view path) noexcept {
    static constexpr std::string_view names[] = {"ld-linux", "lib_", "libasan", "libc.", "libc-", "libevent",
        "libfabric", "libgcc_s", "libhwloc", "liblsan", "libm.", "libmpi", "libopen-", "libpmix",
        "libpthread", "libpython", "libstdc++", "libtsan", "libubsan", "libuc", "libweft", "mca_", "python3",
        "_weft"};
    std::string_view const name = file_name(path);
    return std::ranges::any_of(names, [&](std::string_view each) { return name.starts_with(each); });
}

/// Returns the output of a program; empty if it cannot be started, or takes too long.
std::string output_of(std::vector<std::string> const& command) {
    constexpr std::chrono::seconds patience(10);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return {};
    std::vector<char*> words;
    for (std::string const& each : command) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    bool const runs = posix_spawnp(&child, words[0], &files, nullptr, words.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    std::string text;
    auto const until = std::chrono::steady_clock::now() + patience;
    while (runs) {
        auto const left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd waits{ends[0], POLLIN, 0};
        int const ready = left.count() > 0 ? poll(&waits, 1, static_cast<int>(left.count())) : 0;
        if (ready < 0 && errno == EINTR) continue;
        std::array<char, 4096> piece;
        ssize_t const length = ready > 0 ? read(ends[0], piece.data(), piece.size()) : -1;
        if (length > 0) {
            text.append(piece.data(), static_cast<std::size_t>(length));
            continue;
        }
        if (length < 0) kill(child, SIGKILL);
        break;
    }
    close(ends[0]);
    while (runs && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    return text;
}

/// Returns the places of addresses of one file. Each lists the functions inlined there, innermost first.
std::map<std::uint64_t, std::vector<source_place>> places_in(
    std::string const& path, std::vector<std::uint64_t> const& offsets) {
    std::vector<std::string> command{"addr2line", "-a", "-f", "-C", "-i", "-e", path};
    std::array<char, 32> text;
    for (std::uint64_t const each : offsets) {
        std::snprintf(text.data(), text.size(), "0x%" PRIx64, each);
        command.emplace_back(text.data());
    }
    std::map<std::uint64_t, std::vector<source_place>> found;
    std::istringstream lines(output_of(command));
    std::vector<source_place>* now = nullptr;
    std::string line;
    while (std::getline(lines, line)) {
        if (line.starts_with("0x")) {
            now = &found[std::stoull(line, nullptr, 16)];
            continue;
        }
        source_place place{line, {}, {}};
        if (now == nullptr || !std::getline(lines, line)) break;
        line = line.substr(0, line.find(" (discriminator"));
        std::size_t const colon = line.rfind(':');
        if (colon != std::string::npos && !line.starts_with("??")) {
            place.file = line.substr(0, colon);
            place.line = line.substr(colon + 1);
        }
        now->push_back(std::move(place));
    }
    return found;
}

std::string text_of_place(source_place const& place, code_address const& at) {
    if (!place.file.empty() && place.line != "?" && place.line != "0")
        return std::string(file_name(place.file)) + ":" + place.line;
    std::string function = place.function;
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (std::size_t found; (found = function.find(unnamed)) != std::string::npos;)
        function.erase(found, unnamed.size());
    return function.substr(0, function.find('(')) + "() of " + std::string(file_name(at.path));
}

std::vector<mapping>::const_iterator mapping_of(
    std::vector<mapping> const& mappings, std::uint64_t address) noexcept {
    return std::ranges::find_if(
        mappings, [&](mapping const& each) { return each.begin <= address && address < each.end; });
}

} // namespace

bool is_in_mpi(void const* address) {
    std::vector<mapping> const mappings = mappings_of(getpid());
    auto const found = mapping_of(mappings, reinterpret_cast<std::uint64_t>(address));
    return found != mappings.end() && file_name(found->path).starts_with("libmpi");
}

bool is_of_program(std::string_view function, std::string_view file) noexcept {
    if (file.find("/include/weft/") != std::string_view::npos || file.starts_with("/usr/include/") ||
        file.find("/include/c++/") != std::string_view::npos)
        return false;
    // A function of an unnamed namespace has no other sign of Weft.
    if (!folder_of_weft().empty() && file.starts_with(folder_of_weft())) return false;
    // The name of a function template follows its return type.
    std::size_t depth = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    for (; end < function.size(); ++end) {
        char const c = function[end];
        if (c == '<') ++depth;
        if (c == '>' && depth > 0) --depth;
        if (depth > 0) continue;
        if (c == '(' && !function.substr(end).starts_with("(anonymous namespace)")) break;
        if (c == '(') end += std::string_view("(anonymous namespace)").size() - 1;
        if (c == ' ') begin = end + 1;
    }
    std::string_view const name = function.substr(begin, end - begin);
    if (name.starts_with("weft::") || name == "_start" || name.starts_with("__libc_start")) return false;
    // addr2line may name the caller of an inlined function; the file is right.
    if (!file.empty()) return true;
    return !name.starts_with("std::") && !name.starts_with("__gnu_cxx::");
}

std::vector<std::string> places_of(std::vector<stack_of_process> const& stacks) {
    std::vector<std::vector<code_address>> all(stacks.size());
    std::map<std::string, std::vector<std::uint64_t>> by_file;
    std::map<std::string, bool> fixed;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        std::vector<mapping> const mappings = mappings_of(stacks[i].pid);
        for (std::uint64_t const frame : stacks[i].frames) {
            std::uint64_t const call = frame - 1; // the return address is after the call
            auto const found = mapping_of(mappings, call);
            if (found == mappings.end() || is_system_library(found->path)) continue;
            auto const known = fixed.find(found->path);
            bool const as_it_is =
                known != fixed.end()
                    ? known->second
                    : fixed.emplace(found->path, has_fixed_addresses(found->path)).first->second;
            auto const base = std::ranges::find(mappings, found->path, &mapping::path); // its lowest one
            code_address at{found->path, as_it_is ? call : call - base->begin};
            by_file[at.path].push_back(at.offset);
            all[i].push_back(std::move(at));
        }
    }
    std::map<std::string, std::map<std::uint64_t, std::vector<source_place>>> places;
    for (auto& [path, offsets] : by_file) {
        std::ranges::sort(offsets);
        offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
        places[path] = places_in(path, offsets);
    }
    std::vector<std::string> result(stacks.size());
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        for (code_address const& at : all[i]) {
            std::vector<source_place> const& inlined = places[at.path][at.offset];
            auto const own = std::ranges::find_if(inlined, [](source_place const& each) {
                return each.function != "??" && is_of_program(each.function, each.file);
            });
            if (own == inlined.end()) continue;
            result[i] = text_of_place(*own, at);
            break;
        }
    }
    return result;
}

} // namespace weft
