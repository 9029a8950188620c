#include "simulated_groups.hpp"

#include "simulated_program.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace weft {

class simulated_group {
public:
    /// Makes the group of all ranks of the program.
    explicit simulated_group(simulated_program& program)
        : program_(program), number_(0), begun_(static_cast<std::size_t>(program.machine().size())) {}
    /// `members`: ranks of the machine; `places_above`: their places in the parent group.
    simulated_group(simulated_program& program, std::vector<int> members, std::vector<int> places_above)
        : program_(program),
          number_(program.machine().add_group(members)),
          members_(std::move(members)),
          above_(std::move(places_above)),
          begun_(members_.size()) {}
    simulated_group(simulated_group const&) = delete;
    simulated_group& operator=(simulated_group const&) = delete;
    ~simulated_group() {
        if (number_ != 0) program_.machine().remove_group(number_);
    }

    [[nodiscard]] int size() const noexcept { return static_cast<int>(begun_.size()); }
    [[nodiscard]] int rank_of_machine(int place) const noexcept {
        return number_ == 0 ? place : members_[static_cast<std::size_t>(place)];
    }
    [[nodiscard]] int place_above(int place) const noexcept {
        return number_ == 0 ? place : above_[static_cast<std::size_t>(place)];
    }
    [[nodiscard]] std::unique_ptr<transport> door_of(int place) {
        return program_.machine().make_door(rank_of_machine(place), number_, place);
    }
    [[nodiscard]] int node_of(int place) const { return program_.machine().node_of(rank_of_machine(place)); }
    [[nodiscard]] topology nodes(std::function<topology()> const& make) {
        if (!nodes_) nodes_.emplace(make());
        return *nodes_;
    }

    struct part {
        std::shared_ptr<simulated_group> group; // null if a color was negative
        int place = 0;
    };
    /// Waits until all members have called.
    [[nodiscard]] part split(int place, int color, int key, int& least);

private:
    struct wish {
        int color = 0;
        int key = 0;
    };
    /// One call of `split` by all members.
    struct division {
        std::vector<wish> wishes; // by place
        std::vector<part> parts;  // by place, once all have called
        int least = std::numeric_limits<int>::max();
        int asked = 0;
        int told = 0;
    };

    void divide(division& now);
    /// Returns the time of an all-gather of two words.
    [[nodiscard]] double seconds_of_division() const;

    simulated_program& program_;
    int number_;
    std::vector<int> members_; // by place; empty: all ranks
    std::vector<int> above_;
    std::vector<std::int64_t> begun_; // number of divisions, by place
    std::deque<division> divisions_;  // from the oldest one that some members have not completed
    std::int64_t over_ = 0;
    std::optional<topology> nodes_;
};

simulated_group::part simulated_group::split(int place, int color, int key, int& least) {
    std::int64_t const number = begun_[static_cast<std::size_t>(place)]++;
    if (number - over_ == static_cast<std::int64_t>(divisions_.size()))
        divisions_.emplace_back().wishes.resize(begun_.size());
    auto const now = [&]() -> division& { return divisions_[static_cast<std::size_t>(number - over_)]; };
    now().wishes[static_cast<std::size_t>(place)] = {color, key};
    now().least = std::min(now().least, color);
    if (++now().asked == size()) {
        divide(now());
        for (int each = 0; each < size(); ++each)
            if (each != place) program_.machine().wake_after(rank_of_machine(each), seconds_of_division());
        program_.machine().rank(rank_of_machine(place)).clock += seconds_of_division();
    } else {
        while (now().parts.empty()) program_.sleep();
    }
    least = now().least;
    part const mine = std::move(now().parts[static_cast<std::size_t>(place)]);
    ++now().told;
    while (!divisions_.empty() && divisions_.front().told == size()) {
        divisions_.pop_front();
        ++over_;
    }
    return mine;
}

void simulated_group::divide(division& now) {
    now.parts.resize(begun_.size());
    if (now.least < 0) return;
    std::vector<int> order(begun_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int place) {
        wish const& of = now.wishes[static_cast<std::size_t>(place)];
        return std::pair(of.color, of.key);
    });
    for (auto begin = order.begin(); begin != order.end();) {
        int const color = now.wishes[static_cast<std::size_t>(*begin)].color;
        auto const end = std::find_if(begin, order.end(),
            [&](int place) { return now.wishes[static_cast<std::size_t>(place)].color != color; });
        std::vector<int> members;
        for (auto each = begin; each != end; ++each) members.push_back(rank_of_machine(*each));
        auto const made =
            std::make_shared<simulated_group>(program_, std::move(members), std::vector<int>(begin, end));
        for (int place = 0; begin != end; ++begin, ++place)
            now.parts[static_cast<std::size_t>(*begin)] = {made, place};
    }
}

double simulated_group::seconds_of_division() const {
    loggp const& p = program_.machine().machine().between.parameters;
    int const rounds = std::bit_width(static_cast<unsigned>(size() - 1));
    return rounds * (p.latency + 2 * p.overhead) +
           static_cast<double>(sizeof(wish)) * size() * p.gap_per_byte;
}

namespace {

class member final : public simulated_ranks {
public:
    member(std::shared_ptr<simulated_group> group, int place)
        : group_(std::move(group)), place_(place), via_(group_->door_of(place)) {}

    [[nodiscard]] int rank() const noexcept override { return place_; }
    [[nodiscard]] int size() const noexcept override { return group_->size(); }
    [[nodiscard]] transport& via() noexcept override { return *via_; }
    [[nodiscard]] std::shared_ptr<simulated_ranks> split(int color, int key, int& least) override {
        simulated_group::part mine = group_->split(place_, color, key, least);
        if (!mine.group) return nullptr;
        return member_of(std::move(mine.group), mine.place);
    }
    [[nodiscard]] int rank_above(int rank) const noexcept override { return group_->place_above(rank); }
    [[nodiscard]] topology nodes(std::function<topology()> const& make) override {
        return group_->nodes(make);
    }
    [[nodiscard]] int node_of(int rank) const noexcept override { return group_->node_of(rank); }

private:
    std::shared_ptr<simulated_group> group_;
    int place_;
    std::unique_ptr<transport> via_;
};

} // namespace

std::shared_ptr<simulated_group> all_simulated_ranks(simulated_program& program) {
    return std::make_shared<simulated_group>(program);
}

std::shared_ptr<simulated_ranks> member_of(std::shared_ptr<simulated_group> group, int place) {
    return std::make_shared<member>(std::move(group), place);
}

} // namespace weft
