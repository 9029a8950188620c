/// A mailbox of a random program on this rank: its channels, the items its handlers saw, and those expected.
#pragma once

#include "session.hpp"
#include "traffic.hpp"

#include <weft/mailbox/mailbox.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace random_programs {

/// An item that its handlers send on, `hops` times.
struct packet {
    number value = 0;
    std::int32_t hops = 0;
    std::int32_t poison = 0; ///< operation whose fault it is
};

/// Items of one key are combined on their way.
struct counted {
    std::int64_t key = 0;
    std::int64_t count = 0;
};

/// A text that does not decode if it is poisoned.
struct brittle_text {
    std::string text;
    int poison = 0;
    static void wire(auto& archive, auto& self) {
        archive(self.text, self.poison);
        if constexpr (std::remove_reference_t<decltype(archive)>::reading)
            if (self.poison != 0) brittle::throw_poison(self.poison);
    }
};

/// A fingerprint of a multiset.
struct tally {
    number items = 0;
    number sum = 0;

    void add(number item) noexcept {
        ++items;
        sum += mixed({item});
    }
    friend bool operator==(tally const&, tally const&) = default;
};

/// The items that handlers of a rank saw, by kind of channel.
struct mail_tallies {
    tally packets, batches, texts, calls, extra;
    std::map<std::int64_t, std::int64_t> counts;
    friend bool operator==(mail_tallies const&, mail_tallies const&) = default;
};

[[nodiscard]] inline int next_of(packet const& item, int ranks) noexcept {
    return static_cast<int>(mixed({item.value, static_cast<number>(item.hops)}) % static_cast<number>(ranks));
}

struct live_mail {
    static constexpr number poisoned_query = ~number{0} << 32; ///< beyond: the operation whose fault it is

    live_mail(live_group const& on, weft::mailbox_options const& options)
        : group(on),
          mail(group.comm, options),
          packets(mail.channel<packet>([this](packet const& item) { handle(item); })),
          batches(mail.channel<number>([this](int source, std::span<number const> items) {
              for (number const each : items) seen.batches.add(mixed({each, static_cast<number>(source)}));
          })),
          texts(mail.channel<brittle_text>([this](brittle_text const& text) {
              seen.texts.add(static_cast<number>(std::hash<std::string>()(text.text)));
          })),
          counts(mail.channel<counted>([this](counted const& item) { seen.counts[item.key] += item.count; },
              weft::combine_by{.key = key_of, .merge = merge, .entries = 16})),
          questions(
              mail.service<number, number>([this](number const& query) { return answer_here(query, 0); })) {
        mailboxes_here[&mail] = this;
    }
    ~live_mail() { mailboxes_here.erase(&mail); }
    live_mail(live_mail const&) = delete;
    live_mail& operator=(live_mail const&) = delete;

    /// Returns the answer of a rank's service; `place`: 0, or that of one made later, from 1.
    [[nodiscard]] number answer(number query, int rank, number place) const noexcept {
        return mixed({query, group.name, static_cast<number>(rank), place});
    }
    [[nodiscard]] number answer_here(number query, number place) const {
        if (query > poisoned_query) brittle::throw_poison(static_cast<int>(query - poisoned_query));
        return answer(query, group.comm.rank(), place);
    }

    void handle(packet const& item) {
        if (item.poison != 0) brittle::throw_poison(item.poison);
        seen.packets.add(item.value + static_cast<number>(item.hops));
        if (item.hops > 0) packets.send(next_of(item, group.comm.size()), {item.value, item.hops - 1, 0});
    }

    static std::int64_t key_of(counted const& item) { return item.key; }
    static void merge(counted& into, counted const& from) {
        if (into.key < 0)
            brittle::throw_poison(static_cast<int>(-into.key)); // the operation whose fault it is
        into.count += from.count;
    }
    static inline std::map<weft::mailbox*, live_mail*> mailboxes_here;

    live_group group;
    mail_tallies seen;
    mail_tallies due;               ///< expected by the oracle
    std::optional<operation> fault; ///< of this phase
    bool lacks_answers = false;     ///< in this phase
    weft::mailbox mail;
    weft::channel<packet> packets;
    weft::channel<number> batches;
    weft::channel<brittle_text> texts;
    weft::combining_channel<counted, std::int64_t (*)(counted const&), void (*)(counted&, counted const&)>
        counts;
    weft::service<number, number> questions;
    std::vector<weft::channel<number>> extra; ///< made later
    std::vector<weft::service<number, number>> later_questions;
};

} // namespace random_programs
