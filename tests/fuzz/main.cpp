/// Damaged files of every format before their readers. A run reads one: the answer, the same however it is
/// read, or an error in one line. What crashes, hangs or complains otherwise is kept. Usage: see `usage`.
#include "answers.hpp"
#include "mutate.hpp"

#include <weft/core/environment.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace weft_test;

constexpr char usage[] = R"(fuzz_readers [--runs N] [--seed S] [--only TEXT] [--keep FOLDER] [--seconds T]
  --runs N       so many damaged files (20000), after all shorter files of those that tell their end
  --seed S       of the damage (1); run r of seed S is the same in every process
  --only TEXT    files whose name has TEXT
  --keep FOLDER  where files that break a reader are kept (fuzz-crashes)
  --seconds T    stop after this time
  --read FILE    read one that was kept: its name begins with the seed file's)";

struct arguments {
    std::uint64_t runs = 20000;
    std::uint64_t seed = 1;
    std::string only;
    std::filesystem::path keep = "fuzz-crashes";
    double seconds = 0;
    std::filesystem::path read;
};

/// What a child leaves to its parent.
struct shared_state {
    std::uint64_t next;    // the run that is being made
    std::uint64_t answers; // files that were not refused
    std::uint64_t broken;  // readers that said something wrong
    char place[512];       // the file of this run
    char what[1024];       // why a run is broken
};

arguments parse(int argc, char** argv) {
    arguments given;
    for (int i = 1; i < argc; ++i) {
        std::string const option = argv[i];
        std::string const value = i + 1 < argc ? argv[++i] : "";
        if (option == "--runs" && !value.empty())
            given.runs = std::stoull(value);
        else if (option == "--seed" && !value.empty())
            given.seed = std::stoull(value);
        else if (option == "--only")
            given.only = value;
        else if (option == "--keep" && !value.empty())
            given.keep = value;
        else if (option == "--seconds" && !value.empty())
            given.seconds = std::stod(value);
        else if (option == "--read" && !value.empty())
            given.read = value;
        else
            throw std::invalid_argument(option);
    }
    return given;
}

/// The runs of a seed: first each shorter file, one after the other, then damage without end.
class plan {
public:
    plan(std::vector<seed_file> seeds, std::uint64_t random) : seeds_(std::move(seeds)), random_(random) {
        for (seed_file const& each : seeds_)
            if (each.tells_its_end) cuts_ += each.content.size();
    }

    struct run {
        seed_file const* of;
        std::string content;
        bool is_cut;
    };

    [[nodiscard]] run at(std::uint64_t number) const {
        std::uint64_t left = number;
        for (seed_file const& each : seeds_) {
            if (!each.tells_its_end) continue;
            if (left < each.content.size()) return {&each, each.content.substr(0, left), true};
            left -= each.content.size();
        }
        seed_file const& of = seeds_[left % seeds_.size()];
        return {&of, damaged(of.content, random_ * 0x9e3779b97f4a7c15 + left), false};
    }
    [[nodiscard]] std::uint64_t cuts() const { return cuts_; }
    [[nodiscard]] std::vector<seed_file> const& seeds() const { return seeds_; }

private:
    std::vector<seed_file> seeds_;
    std::uint64_t random_;
    std::uint64_t cuts_ = 0;
};

void write(std::filesystem::path const& file, std::string const& content) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// All of what libraries print goes to a file, which must stay empty.
class silence {
public:
    explicit silence(std::filesystem::path const& file)
        : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600)) {
        ::dup2(descriptor_, STDERR_FILENO);
    }
    std::string heard() const {
        std::fflush(stderr);
        off_t const size = ::lseek(descriptor_, 0, SEEK_END);
        if (size == 0) return {};
        std::string text(static_cast<std::size_t>(std::min<off_t>(size, 400)), '\0');
        text.resize(static_cast<std::size_t>(
            std::max<ssize_t>(::pread(descriptor_, text.data(), text.size(), 0), 0)));
        [[maybe_unused]] int const ignored = ::ftruncate(descriptor_, 0);
        return text;
    }

private:
    int descriptor_;
};

/// Makes runs until the last, or until one breaks a reader. Runs in a process of its own.
void make_runs(plan const& of, arguments const& given, std::filesystem::path const& folder, double until,
    shared_state& state) {
    // Readers refuse what is more than the limit on memory.
    rlimit const memory{std::uint64_t{192} << 20, std::uint64_t{192} << 20};
    ::setrlimit(RLIMIT_RSS, &memory);
    weft::environment const env;
    weft::communicator const alone = env.world();
    silence const quiet(folder / "stderr");
    std::map<seed_file const*, std::string> whole;
    for (seed_file const& each : of.seeds()) {
        write(folder / each.name, each.content);
        whole[&each] = answer_of(alone, folder / each.name, each);
    }
    for (; state.next < of.cuts() + given.runs; ++state.next) {
        if (until > 0 && state.next % 64 == 0 && seconds_now() > until) return;
        plan::run const run = of.at(state.next);
        std::filesystem::path const file = folder / run.of->name;
        std::snprintf(state.place, sizeof state.place, "%s", file.c_str());
        write(file, run.content);
        std::string wrong;
        try {
            std::string const answer = answer_of(alone, file, *run.of);
            if (!answer.empty()) ++state.answers;
            if (run.is_cut && !answer.empty() && answer != whole[run.of])
                wrong = "cut after " + std::to_string(run.content.size()) + " bytes it has another answer";
        } catch (std::exception const& caught) {
            wrong = caught.what();
            if (dynamic_cast<bad_answer const*>(&caught) == nullptr) wrong = "exception: " + wrong;
        }
        if (std::string const heard = quiet.heard(); wrong.empty() && !heard.empty())
            wrong = "it prints: " + heard;
        if (wrong.empty()) continue;
        std::snprintf(state.what, sizeof state.what, "%s", wrong.c_str());
        std::_Exit(3);
    }
}

/// Waits for a child; kills one that makes no run for a minute.
int outcome_of(pid_t child, shared_state const& state) {
    std::uint64_t seen = state.next;
    double since = seconds_now();
    for (int status = 0;;) {
        if (::waitpid(child, &status, WNOHANG) == child) return status;
        ::usleep(20'000);
        if (state.next != seen) {
            seen = state.next;
            since = seconds_now();
        } else if (seconds_now() - since > 60) {
            ::kill(child, SIGKILL);
        }
    }
}

int fuzz(plan const& of, arguments const& given, std::filesystem::path const& folder) {
    auto* const state = static_cast<shared_state*>(
        ::mmap(nullptr, sizeof(shared_state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (state == MAP_FAILED) throw std::bad_alloc();
    new (state) shared_state{};
    double const start = seconds_now();
    double const until = given.seconds > 0 ? start + given.seconds : 0;
    while (state->broken < 50) {
        std::fflush(nullptr);
        pid_t const child = ::fork();
        if (child == 0) {
            make_runs(of, given, folder, until, *state);
            std::_Exit(0);
        }
        int const status = outcome_of(child, *state);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        ++state->broken;
        std::string const number = std::to_string(given.seed) + "." + std::to_string(state->next);
        std::filesystem::path const place = state->place;
        std::filesystem::create_directories(given.keep);
        std::filesystem::path const kept =
            given.keep / (place.stem().string() + "." + number + place.extension().string());
        std::error_code ignored;
        std::filesystem::copy_file(place, kept, std::filesystem::copy_options::overwrite_existing, ignored);
        std::string why = state->what;
        if (WIFSIGNALED(status)) why = std::string("signal: ") + ::strsignal(WTERMSIG(status));
        if (why.empty()) why = "it ends the process";
        std::cout << kept.string() << ": " << why << '\n';
        std::ifstream told(folder / "stderr");
        for (std::string line; std::getline(told, line);)
            if (line.find("ERROR") != line.npos || line.find("runtime error") != line.npos ||
                line.find("    #") == 0)
                std::cout << "    " << line << '\n';
        std::cout.flush();
        state->what[0] = '\0';
        ++state->next;
    }
    double const seconds = seconds_now() - start;
    std::cout << state->next << " files of " << of.seeds().size() << " kinds ("
              << std::min(of.cuts(), state->next) << " cut short), " << state->answers << " with an answer, "
              << state->broken << " that break a reader; " << seconds << " s\n";
    return state->broken == 0 ? 0 : 1;
}

/// Reads a file that was kept, in this process, for a debugger.
int read_again(plan const& of, std::filesystem::path const& file) {
    weft::environment const env;
    std::string const name = file.filename().string();
    for (seed_file const& each : of.seeds()) {
        std::filesystem::path const seed(each.name);
        if (!name.starts_with(seed.stem().string() + ".") || !name.ends_with(seed.extension().string()))
            continue;
        std::cout << "an answer of " << answer_of(env.world(), file, each).size() << " bytes\n";
        return 0;
    }
    std::cerr << name << ": is like no seed\n";
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    arguments given;
    try {
        given = parse(argc, argv);
    } catch (std::exception const&) {
        std::cerr << usage << '\n';
        return 2;
    }
    try {
        std::string pattern = (std::filesystem::temp_directory_path() / "weft-fuzz-XXXXXX").string();
        std::filesystem::path const folder = ::mkdtemp(pattern.data());
        std::vector<seed_file> seeds = make_seeds(folder);
        std::erase_if(
            seeds, [&](seed_file const& each) { return each.name.find(given.only) == std::string::npos; });
        plan const of(std::move(seeds), given.seed);
        int const status = given.read.empty() ? fuzz(of, given, folder) : read_again(of, given.read);
        std::filesystem::remove_all(folder);
        return status;
    } catch (std::exception const& caught) {
        std::cerr << "fuzz_readers: " << caught.what() << '\n';
        return 1;
    }
}
