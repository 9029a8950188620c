#include <weft/containers/kmer_counter.hpp>

#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>
#include <weft/detail/containers/container_file.hpp>
#include <weft/detail/containers/first_items.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/collectives.hpp>

#include "kmer_channel.hpp"

#include <new>
#include <utility>

namespace weft {

namespace {

constexpr std::int64_t most_bars = 1 << 24; // 128 MiB on each rank

int checked_k(int k) {
    if (k < 1 || k > 32)
        throw usage_error("kmer_counter: `k` is " + std::to_string(k) + ", but must be from 1 to 32");
    return k;
}

} // namespace

kmer_counter::kmer_counter(mailbox& mail, int k)
    : k_(checked_k(k)), mail_(mail), bins_(new detail::kmer_bins(k)) {
    channel_ = new detail::kmer_channel(mail_.engine(), bins_, k);
    channel_->set_number(mail_.keep(channel_));
}
kmer_counter::kmer_counter(kmer_counter const& other) : kmer_counter(other.mail(), other.k_) {
    other.count_all("kmer_counter: a copy");
    gate call(mail_.comm(), "kmer_counter: a copy");
    agreed(call, [&] { bins_->copy_counts(*other.bins_); });
}
kmer_counter& kmer_counter::operator=(kmer_counter const& other) {
    *this = kmer_counter(other);
    return *this;
}
kmer_counter::kmer_counter(kmer_counter&&) noexcept = default;
kmer_counter& kmer_counter::operator=(kmer_counter&&) noexcept = default;
kmer_counter::~kmer_counter() = default;

void kmer_counter::insert(std::string_view bases) const {
    if (bins_->is_walked && !mail_.engine().in_handler()) [[unlikely]]
        detail::changed_while_walked("insert");
    channel_->insert(bases);
}
void kmer_counter::insert(std::span<std::string_view const> reads) const {
    for (std::string_view const each : reads) insert(each);
}
void kmer_counter::insert(std::span<std::string const> reads) const {
    for (std::string const& each : reads) insert(each);
}

void kmer_counter::count_all(char const* name) const {
    mail_.mail().drain();
    gate call(mail_.comm(), name);
    call.same("k", k_);
    agreed(call, [&] {
        if (bins_->is_walked) detail::changed_while_walked(name);
        bins_->count_all();
    });
}

detail::kmer_walk kmer_counter::walk() const {
    return detail::kmer_walk(*bins_);
}

std::int64_t kmer_counter::size() const {
    count_all("kmer_counter::size");
    return sum(mail_.comm(), bins_->size());
}

std::int64_t kmer_counter::total() const {
    count_all("kmer_counter::total");
    return sum(mail_.comm(), bins_->total());
}

std::int64_t kmer_counter::count(std::string_view kmer) const {
    count_all("kmer_counter::count");
    gate call(mail_.comm(), "kmer_counter::count");
    call.same("kmer", kmer);
    std::int64_t found = 0;
    agreed(call, [&] {
        std::uint64_t forward = 0;
        std::uint64_t backward = 0;
        bool is_whole = kmer.size() == static_cast<std::size_t>(k_);
        for (char const letter : kmer) {
            std::uint64_t const code = detail::code_of_base[static_cast<unsigned char>(letter)];
            is_whole = is_whole && code < 4;
            if (!is_whole) break;
            forward = forward << 2 | code;
            backward = backward >> 2 | (3 - code) << 2 * (k_ - 1);
        }
        if (!is_whole)
            throw usage_error("kmer_counter::count: '" + std::string(kmer.substr(0, 40)) +
                              "' is not a text of " + std::to_string(k_) + " letters A, C, G and T");
        auto const [owner, bin] = channel_->place_of(kmer);
        if (owner == mail_.engine().rank())
            found = bins_->count(forward < backward ? forward : backward, bin);
    });
    return sum(mail_.comm(), found);
}

std::vector<std::pair<std::uint64_t, std::int64_t>> kmer_counter::gather_top_k(std::int64_t most) const try {
    using item = std::pair<std::uint64_t, std::int64_t>;
    count_all("kmer_counter::gather_top_k");
    auto before = [](item const& a, item const& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    };
    return detail::gather_first<item>(
        mail_.comm(), "kmer_counter::gather_top_k", most, before, [&](auto&& use) {
            for (std::size_t i = 0; i < bins_->bins(); ++i)
                for (detail::counted_kmer const& each : bins_->bin(i)) use(item(each.kmer, each.count));
        });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("kmer_counter");
    throw;
}

std::vector<std::int64_t> kmer_counter::histogram(std::int64_t most) const try {
    count_all("kmer_counter::histogram");
    gate call(mail_.comm(), "kmer_counter::histogram");
    call.same("most", most);
    std::vector<std::int64_t> mine;
    agreed(call, [&] {
        if (most < 1 || most > most_bars)
            throw usage_error("kmer_counter::histogram: `most` is " + std::to_string(most) +
                              ", but must be from 1 to " + std::to_string(most_bars));
        mine.resize(static_cast<std::size_t>(most) + 1);
        for (std::size_t i = 0; i < bins_->bins(); ++i)
            for (detail::counted_kmer const& each : bins_->bin(i))
                ++mine[static_cast<std::size_t>(each.count < most ? each.count : most)];
    });
    return all_reduce(
        mail_.comm(), std::move(mine), [](std::vector<std::int64_t> a, std::vector<std::int64_t> const& b) {
            for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
            return a;
        });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("kmer_counter");
    throw;
}

std::string kmer_counter::kind() const {
    return "kmer_counter of " + std::to_string(k_) + "-mers";
}

void kmer_counter::save(std::string const& file) const try {
    count_all("kmer_counter::save");
    gate call(mail_.comm(), "kmer_counter::save");
    detail::save_records<std::uint64_t, std::int64_t>(call, file, kind().c_str(), [&](auto&& put) {
        for (std::size_t i = 0; i < bins_->bins(); ++i)
            for (detail::counted_kmer const& each : bins_->bin(i)) put(each.kmer, each.count);
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("kmer_counter");
    throw;
}

void kmer_counter::load(std::string const& file) const try {
    struct placed {
        detail::counted_kmer what;
        std::size_t bin;
    };
    count_all("kmer_counter::load"); // so that nothing is left that belongs to before
    gate call(mail_.comm(), "kmer_counter::load");
    detail::loaded_records<std::uint64_t, std::int64_t> const records(call, file, kind().c_str());
    outbox<placed> out(mail_.comm());
    agreed(call, [&] {
        records.for_each([&](std::uint64_t kmer, std::int64_t count) {
            auto const [owner, bin] = channel_->place_of(text(kmer));
            out[owner].push_back({{kmer, count}, bin});
        });
    });
    bins_->clear();
    inbox<placed> const come = exchange(std::move(out));
    agreed(call, [&] {
        for (auto const& [source, items] : come)
            for (placed const& each : items) bins_->add(each.what, each.bin);
        bins_->merge();
    });
} catch (std::bad_alloc const&) {
    alone_unless_agreed("kmer_counter");
    throw;
}

void kmer_counter::clear() const {
    if (bins_->is_walked) [[unlikely]]
        detail::changed_while_walked("clear");
    mail_.mail().drain();
    bins_->clear();
}

std::string kmer_counter::text(std::uint64_t kmer) const {
    std::string letters(static_cast<std::size_t>(k_), 'A');
    for (std::size_t i = letters.size(); i-- > 0; kmer >>= 2) letters[i] = "ACGT"[kmer & 3];
    return letters;
}

} // namespace weft
