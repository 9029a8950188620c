/// Merges of texts, whose result shows the order and the brackets. Private.
#pragma once

#include <collective/merge_engine.hpp>
#include <weft/collective/schedule.hpp>
#include <weft/core/error.hpp>

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace weft_test {

class merged_texts final : public weft::detail::merged_values {
public:
    /// Combining a text that contains `poison` throws.
    explicit merged_texts(std::string poison = "nothing") : poison_(std::move(poison)) {}

    void add(std::string text) { texts_.push_back(std::move(text)); }
    [[nodiscard]] std::string const& at(std::size_t value) const { return texts_.at(value); }

    void write(std::size_t value, weft::buffer& to) override {
        to.append(texts_.at(value).data(), texts_.at(value).size());
    }
    std::size_t read(std::span<std::byte const> from) override {
        add({reinterpret_cast<char const*>(from.data()), from.size()});
        return texts_.size() - 1;
    }
    void combine(std::size_t left, std::size_t right) override {
        if (texts_.at(right).find(poison_) != std::string::npos) throw weft::usage_error("poison");
        texts_.at(left) = "(" + texts_.at(left) + texts_.at(right) + ")";
    }
    [[nodiscard]] weft::detail::owned<weft::detail::combination> combination_of(
        std::size_t left, std::size_t right) override {
        return weft::detail::owned<weft::detail::combination>(new pair(*this, left, right));
    }

private:
    struct pair final : weft::detail::combination {
        pair(merged_texts& texts, std::size_t first, std::size_t second)
            : of(texts), left(first), right(second) {}
        void run() override { of.combine(left, right); }

        merged_texts& of;
        std::size_t left;
        std::size_t right;
    };

    std::string poison_;
    std::vector<std::string> texts_;
};

/// Combines the texts of a group in pairs, these results in pairs, and so on.
inline std::string paired(std::vector<std::string> texts) {
    while (texts.size() > 1) {
        std::vector<std::string> next;
        for (std::size_t i = 0; i < texts.size(); i += 2)
            next.push_back(i + 1 < texts.size() ? "(" + texts[i] + texts[i + 1] + ")" : texts[i]);
        texts = std::move(next);
    }
    return texts.front();
}

/// Returns one or two letters for a participant.
inline std::string text_of_participant(std::int64_t id) {
    return (id >= 26 ? std::string(1, static_cast<char>('A' + id / 26)) : std::string()) +
           static_cast<char>('a' + id % 26);
}

/// Returns the texts of all participants that keep a value, after a merge by the simplest algorithm.
inline std::map<std::int64_t, std::string> merged_plainly(weft::schedule const& schedule) {
    std::map<std::int64_t, std::string> texts;
    for (std::int64_t id = 0; id < schedule.participants(); ++id) texts[id] = text_of_participant(id);
    for (int round = 0; round < schedule.rounds(); ++round) {
        auto next = texts;
        for (auto const& [id, text] : texts) {
            weft::round_group const group = schedule.group_of(round, id);
            if (group.members.at(static_cast<std::size_t>(group.keeper)) != id) {
                next.erase(id);
                continue;
            }
            std::vector<std::string> parts;
            for (std::int64_t const member : group.members) parts.push_back(texts.at(member));
            next[id] = paired(parts);
        }
        texts = std::move(next);
    }
    return texts;
}

} // namespace weft_test
