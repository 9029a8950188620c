/// `weft top`: what programs of Weft that run on these nodes are doing, read from the pages of their ranks.
#include "watch/top.hpp"
#include "options/number_check.hpp"

#include <observe/job_pages.hpp>
#include <transport/left_names.hpp>

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace weft::tool {

namespace {

using json = nlohmann::ordered_json;

/// The rank and what it said last, by process.
using states = std::map<int, rank_state>;

/// Reads keys without a return behind them, while a person looks at a terminal.
class keys {
public:
    explicit keys(bool wanted)
        : reads_(wanted && isatty(STDIN_FILENO) != 0 && tcgetattr(STDIN_FILENO, &before_) == 0) {
        if (!reads_) return;
        termios now = before_;
        now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &now);
    }
    ~keys() {
        if (reads_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    }
    keys(keys const&) = delete;
    keys& operator=(keys const&) = delete;

    /// Waits; true as soon as `q` is pressed.
    [[nodiscard]] bool quit_within(double seconds) const {
        auto const until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (true) {
            auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(
                until - std::chrono::steady_clock::now());
            if (left.count() <= 0) return false;
            if (!reads_) {
                std::this_thread::sleep_for(left);
                return false;
            }
            pollfd input{STDIN_FILENO, POLLIN, 0};
            char key = 0;
            if (poll(&input, 1, static_cast<int>(left.count())) > 0 && read(STDIN_FILENO, &key, 1) == 1 &&
                (key == 'q' || key == 'Q'))
                return true;
        }
    }

private:
    bool reads_;
    termios before_{};
};

/// The ranks for which a text says that a rank waits: "a message to rank 3, which has not taken it".
std::vector<int> ranks_in(std::string_view text, int own) {
    std::vector<int> found;
    constexpr std::string_view word = "rank ";
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        int number = 0;
        std::size_t digit = at + word.size();
        if (digit >= text.size() || std::isdigit(static_cast<unsigned char>(text[digit])) == 0) continue;
        for (; digit < text.size() && std::isdigit(static_cast<unsigned char>(text[digit])) != 0; ++digit)
            number = number * 10 + (text[digit] - '0');
        if (number != own && std::ranges::find(found, number) == found.end()) found.push_back(number);
    }
    return found;
}

std::string_view state_of_rank(rank_state const& now) {
    if (now.stopped) return "stopped";
    switch (now.doing) {
    case rank_doing::waits:
        return "wait";
    case rank_doing::communicates:
        return "communicate";
    default:
        return "compute";
    }
}

/// The pages of other programs on this node, and what changed in them since the last look.
class watched_node {
public:
    explicit watched_node(std::string wanted) : wanted_(std::move(wanted)) {}

    /// A row a rank.
    [[nodiscard]] json look() {
        std::vector<shared_page> const pages = finder_.look();
        states now;
        for (shared_page const& each : pages) {
            if (own_ && each->job == own_->job) continue;
            // The rank answers when it next sees that nothing has come for it.
            __atomic_store_n(&each->wanted, 1U, __ATOMIC_RELAXED);
            each->watched_at.store(monotonic_nanoseconds());
            rank_state state = read_state(*each);
            if (!wanted_.empty() && state.job != wanted_ && state.program != wanted_ &&
                std::to_string(state.pid) != wanted_)
                continue;
            now.emplace(state.pid, std::move(state));
        }
        json rows = json::array();
        for (auto const& [pid, state] : now) {
            auto const found = before_.find(pid);
            bool const again = found != before_.end() && state.age > found->second.age;
            rows.push_back(row_of(state, again ? found->second : rank_state{}));
        }
        before_ = std::move(now);
        return rows;
    }

private:
    /// Rates since `before`; of a rank that is new here, since its begin.
    static json row_of(rank_state const& now, rank_state const& before) {
        double const seconds = std::max(now.age - before.age, 1e-9);
        auto const share = [&](double later, double earlier) {
            return std::clamp((later - earlier) / seconds, 0.0, 1.0);
        };
        auto const rate = [&](auto later, auto earlier) {
            return std::max(0.0, static_cast<double>(later - earlier) / seconds);
        };
        double const waits = share(now.waited, before.waited);
        double const communicates = std::min(share(now.communicated, before.communicated), 1 - waits);
        return {{"job", now.job}, {"program", now.program}, {"host", now.host}, {"size", now.size},
            {"rank", now.rank}, {"pid", now.pid}, {"state", state_of_rank(now)}, {"call", now.verb},
            {"within", now.inner}, {"since", now.since}, {"waits_for", ranks_in(now.waits_for, now.rank)},
            {"wait", now.waits_for}, {"age", now.age},
            {"share",
                {{"compute", 1 - waits - communicates}, {"communicate", communicates}, {"wait", waits}}},
            {"rate", {{"items", rate(now.items_sent, before.items_sent)},
                         {"messages", rate(now.messages, before.messages)},
                         {"bytes", rate(now.bytes, before.bytes)},
                         {"calls", rate(now.operations, before.operations)}}}};
    }

    std::string wanted_;
    shared_page own_ = page_of(getpid());
    page_finder finder_;
    states before_;
};

/// Rows by job, those of a job by rank.
json jobs_of(std::vector<std::string> const& nodes) {
    std::map<std::pair<std::string, std::string>, std::vector<json>> jobs;
    std::set<std::pair<std::string, int>> seen; // nodes that are pretended see the same
    for (std::string const& node : nodes)
        for (json& row : json::parse(node))
            if (seen.emplace(row["host"].get<std::string>(), row["pid"].get<int>()).second)
                jobs[{row["job"].get<std::string>(), row["program"].get<std::string>()}].push_back(
                    std::move(row));
    json result = json::array();
    for (auto& [name, rows] : jobs) {
        std::ranges::sort(rows, {}, [](json const& row) { return row["rank"].get<int>(); });
        double most = 0;
        double sum = 0;
        for (json const& row : rows) {
            most = std::max(most, row["share"]["compute"].get<double>());
            sum += row["share"]["compute"].get<double>();
        }
        json job{{"job", name.first}, {"program", name.second}, {"size", rows.front()["size"]},
            {"imbalance", sum > 0 ? most * static_cast<double>(rows.size()) / sum : 1.0},
            {"ranks", json::array()}};
        for (json& row : rows) {
            for (char const* const shared : {"job", "program", "size"}) row.erase(shared);
            job["ranks"].push_back(std::move(row));
        }
        result.push_back(std::move(job));
    }
    return result;
}

std::string short_number(double number) {
    for (auto const& [least, unit] : {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")})
        if (number >= least) return fmt::format("{:.1f} {}", number / least, unit);
    return fmt::format("{:.0f}", number);
}

std::string table_of(json const& jobs) {
    if (jobs.empty()) return "no program of Weft runs here that this user may look into\n";
    std::string text;
    for (json const& job : jobs) {
        auto const& ranks = job["ranks"];
        text += fmt::format("{}{}, job {}: {} of {} ranks, imbalance {:.2f}\n", text.empty() ? "" : "\n",
            job["program"].get<std::string>(), job["job"].get<std::string>(), ranks.size(),
            job["size"].get<int>(), job["imbalance"].get<double>());
        text += fmt::format("{:>5} {:>8} {:12} {:11} {:>7} {:>5} {:>5} {:>5} {:>9} {:>9} {:>9}  {}\n", "rank",
            "pid", "host", "state", "for", "comp", "comm", "wait", "items/s", "msgs/s", "bytes/s", "call");
        for (json const& row : ranks) {
            std::string call = row["call"].get<std::string>();
            if (row["state"] == "compute" && !call.empty()) call = "(after " + call + ")";
            std::string others;
            for (json const& each : row["waits_for"]) others += (others.empty() ? "" : ", ") + each.dump();
            if (!others.empty()) call += " <- " + others;
            auto const percent = [&](char const* of) {
                return fmt::format("{:.0f}%", 100 * row["share"][of].get<double>());
            };
            auto const rate = [&](char const* of) { return short_number(row["rate"][of].get<double>()); };
            text += fmt::format("{:>5} {:>8} {:12.12} {:11} {:>7} {:>5} {:>5} {:>5} {:>9} {:>9} {:>9}  {}\n",
                row["rank"].get<int>(), row["pid"].get<int>(), row["host"].get<std::string>(),
                row["state"].get<std::string>(), seconds_as_text(row["since"].get<double>()),
                percent("compute"), percent("communicate"), percent("wait"), rate("items"), rate("messages"),
                rate("bytes"), call);
        }
    }
    return text;
}

class top_command final : public command {
public:
    explicit top_command(CLI::App& app) {
        parser_ = app.add_subcommand("top", "Show the ranks of running programs that use Weft on this node: "
                                            "state, call, rates, and the ranks that they wait for");
        parser_->add_option("program", wanted_,
            "The id of a job, the name of a program or the id of a process; default: all programs of this "
            "user");
        parser_
            ->add_option(
                "--interval", interval_, "Seconds between two updates; rates are means over this time")
            ->check(between(0.01, 3600.0))
            ->capture_default_str();
        parser_->add_flag("--once", once_, "Measure for one interval, print the result and exit");
        common_.add_output_to(*parser_);
        // Before MPI begins: what watches has no page itself, whose thread would wake up ten times a second.
        parser_->parse_complete_callback([] { setenv("WEFT_WATCHING", "off", 0); });
        parser_->footer("Keys: q leaves. If an MPI launcher starts one process of `weft top` on each of "
                        "several nodes, the programs of all these nodes are shown.");
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        // Two processes of a node would see the same.
        bool const looks = comm.topology().core() == 0;
        if (looks) sweep_left_names();
        bool const once = once_ || !common_.json.empty();
        bool const draws = comm.rank() == 0 && !once && isatty(STDOUT_FILENO) != 0;
        watched_node here(wanted_);
        keys const pressed(comm.rank() == 0 && !once);
        (void)(looks ? here.look() : json::array());
        bool goes_on = true;
        while (goes_on) {
            bool const quits = pressed.quit_within(interval_);
            json const rows = looks ? here.look() : json::array();
            json const jobs = jobs_of(all_gather(comm, rows.dump()));
            if (once) {
                write(comm, jobs);
                return;
            }
            goes_on = max(comm, quits ? 1 : 0) == 0 && !jobs.empty();
            if (comm.rank() != 0 || common_.quiet) continue;
            std::string const text = table_of(jobs);
            std::fputs((draws ? "\x1b[H\x1b[2J" + text : text + "\n").c_str(), stdout);
            std::fflush(stdout);
        }
    }

private:
    void write(communicator const& comm, json const& jobs) {
        auto report = make_report("top", comm);
        report["options"] = {{"program", wanted_}, {"interval", interval_}};
        report["result"]["jobs"] = jobs;
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) std::fputs(table_of(jobs).c_str(), stdout);
    }

    std::string wanted_;
    double interval_ = 1;
    bool once_ = false;
    common_options common_;
};

} // namespace

std::unique_ptr<command> make_top(CLI::App& app) {
    return std::make_unique<top_command>(app);
}

} // namespace weft::tool
